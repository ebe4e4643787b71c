package dev.bitfold.platform.web;

import dev.bitfold.metric.InvalidInput;
import io.lettuce.core.RedisException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Turns whatever went wrong in a call into a problem with a stable code. */
@RestControllerAdvice
class ApiProblems extends ResponseEntityExceptionHandler {

  private static final Logger log = LoggerFactory.getLogger(ApiProblems.class);

  private final ProblemWriter problems;

  ApiProblems(ProblemWriter problems) {
    this.problems = problems;
  }

  @ExceptionHandler
  ResponseEntity<Object> known(ApiException known) {
    return problems.answer(known.code(), String.valueOf(known.getMessage()), null);
  }

  @ExceptionHandler
  ResponseEntity<Object> invalid(InvalidInput invalid) {
    ProblemCode code = ProblemCode.valueOf(invalid.reason().name());
    return problems.answer(code, String.valueOf(invalid.getMessage()), invalid.field());
  }

  /** A command that the client refused before it was sent. */
  @ExceptionHandler
  ResponseEntity<Object> redis(RedisException away) {
    return problems.answer(ProblemCode.REDIS_UNAVAILABLE, "Redis: " + away.getMessage(), null);
  }

  @ExceptionHandler
  ResponseEntity<Object> sql(DataAccessException away) {
    log.warn("PostgreSQL did not answer: {}", away.getMessage());
    return problems.answer(ProblemCode.SQL_UNAVAILABLE, "PostgreSQL did not answer", null);
  }

  @ExceptionHandler
  ResponseEntity<Object> unexpected(Exception unexpected) {
    log.error("a call failed in a way nobody foresaw", unexpected);
    return problems.answer(ProblemCode.INTERNAL_ERROR, "the log of the service says more", null);
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
      HttpMessageNotReadableException unreadable,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    for (Throwable cause = unreadable; cause != null; cause = cause.getCause()) {
      if (cause instanceof BodyLimit.BodyTooLargeException large) {
        return problems.answer(
            ProblemCode.BODY_TOO_LARGE, String.valueOf(large.getMessage()), null);
      }
    }
    if (unreadable.getCause() instanceof UnrecognizedPropertyException unknown) {
      return problems.answer(
          ProblemCode.UNKNOWN_PROPERTY, "there is no such property", path(unknown));
    }
    if (unreadable.getCause() instanceof JacksonException mismatch && path(mismatch) != null) {
      return problems.answer(
          ProblemCode.MALFORMED_BODY, "the value is not of the expected type", path(mismatch));
    }
    return problems.answer(ProblemCode.MALFORMED_BODY, "the body is not valid JSON", null);
  }

  private static @Nullable String path(JacksonException mismatch) {
    List<JacksonException.Reference> path = mismatch.getPath();
    return path.isEmpty()
        ? null
        : path.stream()
            .map(
                step ->
                    step.getPropertyName() == null
                        ? "[" + step.getIndex() + "]"
                        : "." + step.getPropertyName())
            .collect(Collectors.joining())
            .substring(1);
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleTypeMismatch(
      TypeMismatchException mismatch,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    String field =
        mismatch instanceof MethodArgumentTypeMismatchException argument
            ? argument.getName()
            : mismatch.getPropertyName();
    return problems.answer(
        ProblemCode.INVALID_PARAMETER, "the value is not of the expected type", field);
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleExceptionInternal(
      Exception failure,
      @Nullable Object body,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    ResponseEntity<Object> answer =
        problems.answer(ProblemCode.of(status.value()), String.valueOf(failure.getMessage()), null);
    return ResponseEntity.status(status)
        .headers(headers)
        .headers(answer.getHeaders())
        .body(answer.getBody());
  }
}
