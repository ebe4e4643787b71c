package dev.bitfold.platform.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers failures that happen outside controllers, such as a refused URL, in the same form. */
@RestController
class ErrorProblems implements ErrorController {

  private final ProblemWriter problems;

  ErrorProblems(ProblemWriter problems) {
    this.problems = problems;
  }

  @RequestMapping("/error")
  ResponseEntity<Object> error(HttpServletRequest request) {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    ProblemCode code = ProblemCode.of(status instanceof Integer number ? number : 404);
    return problems.answer(code, code.title(), null);
  }
}
