package dev.bitfold.platform.web;

import java.util.Locale;
import org.springframework.http.HttpStatus;

/** Every way a call can fail, with the stable code that callers may rely on. */
public enum ProblemCode {
  UNKNOWN_ENTITY_TYPE(HttpStatus.BAD_REQUEST, "The entity type is not counted here"),
  UNKNOWN_METRIC(HttpStatus.BAD_REQUEST, "The metric is not counted here"),
  UNKNOWN_ACTION(HttpStatus.BAD_REQUEST, "There is no such action"),
  INVALID_ENTITY_ID(HttpStatus.BAD_REQUEST, "The entity id is malformed"),
  INVALID_USER_ID(HttpStatus.BAD_REQUEST, "The user id is malformed"),
  BATCH_SIZE(HttpStatus.BAD_REQUEST, "The batch is empty or too large"),
  UNKNOWN_PROPERTY(HttpStatus.BAD_REQUEST, "The body has a property that is not known"),
  MALFORMED_BODY(HttpStatus.BAD_REQUEST, "The body is not the JSON that is expected"),
  INVALID_PARAMETER(HttpStatus.BAD_REQUEST, "A parameter is malformed"),
  UNAUTHENTICATED(HttpStatus.UNAUTHORIZED, "The call names no user"),
  FORBIDDEN(HttpStatus.FORBIDDEN, "The caller may not do this"),
  NOT_FOUND(HttpStatus.NOT_FOUND, "There is nothing here"),
  METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "The method is not allowed here"),
  NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "The answer is JSON"),
  BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is too large"),
  UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The body must be JSON"),
  INTERNAL_ERROR(HttpStatus.INTERNAL_SERVER_ERROR, "Something is broken"),
  LANE_CLOSED(HttpStatus.SERVICE_UNAVAILABLE, "The lane of the entity is being recovered"),
  OUTBOX_FULL(HttpStatus.SERVICE_UNAVAILABLE, "Too many events wait for Kafka"),
  NOT_DURABLE(HttpStatus.SERVICE_UNAVAILABLE, "The change is not durable yet"),
  REBUILD_BUSY(HttpStatus.SERVICE_UNAVAILABLE, "The counter is being rebuilt"),
  REDIS_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "Redis is not available"),
  SQL_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "PostgreSQL is not available"),
  TOO_BUSY(HttpStatus.SERVICE_UNAVAILABLE, "Too many calls are under way");

  private final HttpStatus status;
  private final String title;

  ProblemCode(HttpStatus status, String title) {
    this.status = status;
    this.title = title;
  }

  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The general code of a status that no finer one explains. */
  static ProblemCode of(int status) {
    return switch (status) {
      case 401 -> UNAUTHENTICATED;
      case 403 -> FORBIDDEN;
      case 404 -> NOT_FOUND;
      case 405 -> METHOD_NOT_ALLOWED;
      case 406 -> NOT_ACCEPTABLE;
      case 413 -> BODY_TOO_LARGE;
      case 415 -> UNSUPPORTED_MEDIA_TYPE;
      case 503 -> TOO_BUSY;
      default -> status < 500 ? INVALID_PARAMETER : INTERNAL_ERROR;
    };
  }

  public HttpStatus status() {
    return status;
  }

  String title() {
    return title;
  }
}
