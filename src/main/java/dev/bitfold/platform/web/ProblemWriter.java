package dev.bitfold.platform.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Makes {@code application/problem+json} answers, for controllers and for filters. */
@Component
public class ProblemWriter {

  private static final String RETRY_SECONDS = "1";

  private final JsonMapper json;

  ProblemWriter(JsonMapper json) {
    this.json = json;
  }

  /**
   * An answer that says what is wrong.
   *
   * @param field where in the input the fault lies, if it lies there
   */
  ResponseEntity<Object> answer(ProblemCode code, String detail, @Nullable String field) {
    ResponseEntity.BodyBuilder answer = ResponseEntity.status(code.status());
    if (code.status() == HttpStatus.SERVICE_UNAVAILABLE) {
      answer.header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
    }
    return answer
        .contentType(MediaType.APPLICATION_PROBLEM_JSON)
        .body(problem(code, detail, field));
  }

  /** Writes an answer from outside a controller. */
  public void write(HttpServletResponse response, ProblemCode code, @Nullable String detail)
      throws IOException {
    response.setStatus(code.status().value());
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    response.setCharacterEncoding(StandardCharsets.UTF_8);
    if (code.status() == HttpStatus.SERVICE_UNAVAILABLE) {
      response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
    }
    response
        .getOutputStream()
        .write(json.writeValueAsBytes(problem(code, detail == null ? code.title() : detail, null)));
  }

  private static ProblemDetail problem(ProblemCode code, String detail, @Nullable String field) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(code.status(), detail);
    problem.setTitle(code.title());
    problem.setProperty("code", code.code());
    if (field != null) {
      problem.setProperty("field", field);
    }
    return problem;
  }
}
