package dev.bitfold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the service over HTTP. */
public final class Http {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final String root;
  private final Duration timeout;

  public Http(int port) {
    this(port, TIMEOUT);
  }

  public Http(int port, Duration timeout) {
    this.root = "http://127.0.0.1:" + port;
    this.timeout = timeout;
  }

  /** An answer of the service. */
  public record Answer(int status, String text, HttpResponse<String> response) {

    public JsonNode json() {
      return JSON.readTree(text);
    }

    /** The stable code of a problem. */
    public String code() {
      return json().path("code").asString("");
    }
  }

  public Answer get(String path, String... headers) {
    return send(request(path, headers).GET().build());
  }

  public Answer post(String path, String body, String... headers) {
    return send(
        request(path, headers)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  /** The current user does something to a post. */
  public Answer act(long userId, String action, String entityId) {
    return post(
        "/api/v1/action/" + action,
        "{\"entityType\":\"post\",\"entityId\":\"%s\"}".formatted(entityId),
        "X-User-Id",
        Long.toString(userId));
  }

  public long likes(String entityId) {
    return count(entityId, "");
  }

  public long exactLikes(String entityId) {
    return count(entityId, "?exact=true");
  }

  private long count(String entityId, String query) {
    Answer answer = get("/api/v1/counter/post/" + entityId + query);
    if (answer.status() != 200) {
      throw new IllegalStateException(answer.text());
    }
    return answer.json().at("/counts/like").asLong();
  }

  public HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + path)).timeout(timeout);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return request;
  }

  public Answer send(HttpRequest request) {
    try {
      HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body(), response);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
