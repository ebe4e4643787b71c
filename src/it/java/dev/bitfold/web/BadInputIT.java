package dev.bitfold.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.lane.LaneKeys;
import dev.bitfold.platform.redis.RedisReplies;
import dev.bitfold.testkit.AppTest;
import dev.bitfold.testkit.Http.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad input is named in a problem with a stable code, and changes nothing. */
class BadInputIT extends AppTest {

  private static final String LIKE = "/api/v1/action/like";
  private static final String GOOD = "{\"entityType\":\"post\",\"entityId\":\"bad-input\"}";

  private String before;

  @BeforeEach
  void look() {
    before = issued();
  }

  @AfterEach
  void nothing_was_changed() {
    assertThat(issued()).isEqualTo(before);
    assertThat(http.exactLikes("bad-input")).isZero();
  }

  private String issued() {
    return app.lanes().all().stream()
        .map(
            lane ->
                RedisReplies.await(
                    app.redis().commands().hget(LaneKeys.lane(lane), LaneKeys.bytes("seq"))))
        .map(seq -> seq == null ? "0" : LaneKeys.text(seq))
        .collect(Collectors.joining(","));
  }

  private static void isProblem(Answer answer, int status, String code, String field) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.code()).as(answer.text()).isEqualTo(code);
    assertThat(answer.json().path("field").asString("")).as(answer.text()).isEqualTo(field);
    assertThat(answer.response().headers().firstValue("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'entityType':'page','entityId':'1'} | unknown_entity_type | entityType",
        "{'entityId':'1'} | unknown_entity_type | entityType",
        "{'entityType':null,'entityId':'1'} | unknown_entity_type | entityType",
        "{'entityType':'post'} | invalid_entity_id | entityId",
        "{'entityType':'post','entityId':''} | invalid_entity_id | entityId",
        "{'entityType':'post','entityId':'a b'} | invalid_entity_id | entityId",
        "{'entityType':'post','entityId':'a:b'} | invalid_entity_id | entityId",
        "{'entityType':'post','entityId':'{1}'} | invalid_entity_id | entityId",
        "{'entityType':'post','entityId':'.'} | invalid_entity_id | entityId",
        "{'entityType':'post','entityId':'..'} | invalid_entity_id | entityId",
        "{'entityType':'post','entityId':'ü'} | invalid_entity_id | entityId",
        "{'entityType':'post','entityId':'1\\n'} | invalid_entity_id | entityId",
        "{'entityType':'post','entityId':42} | malformed_body | entityId",
        "{'entityType':'post','entityId':['1']} | malformed_body | entityId",
        "{'entityType':'post','entityId':'1','x':2} | unknown_property | x",
        "{'entityType':'post','entityType':'post','entityId':'1'} | malformed_body | ''",
        "{'entityType':'post','entityId':'1'} {} | malformed_body | ''",
        "{'entityType' | malformed_body | ''",
        "[] | malformed_body | ''",
        "7 | malformed_body | ''",
        "null | malformed_body | ''",
        "'' | malformed_body | ''"
      })
  void a_bad_body_is_named(String body, String code, String field) {
    isProblem(http.post(LIKE, body.replace('\'', '"'), "X-User-Id", "9"), 400, code, field);
  }

  @Test
  void an_entity_id_of_65_characters_is_too_long() {
    String body = "{\"entityType\":\"post\",\"entityId\":\"" + "x".repeat(65) + "\"}";
    isProblem(http.post(LIKE, body, "X-User-Id", "9"), 400, "invalid_entity_id", "entityId");
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "9223372036854775808", "99999999999999999999", "x", "1.5", "+1", "' '"})
  void a_bad_user_id_is_named(String userId) {
    isProblem(http.post(LIKE, GOOD, "X-User-Id", userId), 400, "invalid_user_id", "X-User-Id");
    isProblem(
        http.get("/api/v1/status/post/1?uid=" + userId.replace(" ", "%20").replace("+", "%2B")),
        400,
        "invalid_user_id",
        "uid");
  }

  @Test
  void a_second_user_id_is_refused() {
    isProblem(
        http.post(LIKE, GOOD, "X-User-Id", "9", "X-User-Id", "10"),
        400,
        "invalid_user_id",
        "X-User-Id");
  }

  @Test
  void a_call_without_user_is_not_authenticated() {
    isProblem(http.post(LIKE, GOOD), 401, "unauthenticated", "");
  }

  @Test
  void another_content_type_is_not_supported() {
    Answer answer =
        http.send(
            http.request(LIKE, "X-User-Id", "9", "Content-Type", "text/plain")
                .POST(BodyPublishers.ofString(GOOD))
                .build());
    isProblem(answer, 415, "unsupported_media_type", "");
  }

  @Test
  void another_method_is_not_allowed() {
    Answer answer = http.get(LIKE, "X-User-Id", "9");
    isProblem(answer, 405, "method_not_allowed", "");
    assertThat(answer.response().headers().firstValue("Allow")).hasValue("POST");
  }

  @Test
  void an_unknown_path_is_not_found() {
    isProblem(http.post("/api/v1/action/dislike", GOOD, "X-User-Id", "9"), 404, "not_found", "");
    isProblem(http.get("/api/v2/counter/post/1"), 404, "not_found", "");
  }

  @Test
  void a_refused_url_is_a_problem_too() {
    isProblem(http.get("/api/v1/counter/post/a%2Fb"), 400, "invalid_parameter", "");
  }

  @Test
  void an_oversize_body_is_refused_whether_it_tells_its_length_or_not() {
    String body = GOOD.replace("}", ",\"x\":\"" + "y".repeat(300_000) + "\"}");
    isProblem(http.post(LIKE, body, "X-User-Id", "9"), 413, "body_too_large", "");
    Answer chunked =
        http.send(
            http.request(LIKE, "X-User-Id", "9", "Content-Type", "application/json")
                .POST(
                    BodyPublishers.ofInputStream(
                        () -> new java.io.ByteArrayInputStream(body.getBytes())))
                .build());
    isProblem(chunked, 413, "body_too_large", "");
  }

  @Test
  void one_bad_item_of_a_batch_is_named_and_nothing_is_applied() {
    String body =
        """
        {"actions":[
          {"action":"like","entityType":"post","entityId":"bad-input"},
          {"action":"like","entityType":"post","entityId":"a b"}]}
        """;
    isProblem(
        http.post("/api/v1/action/batch", body, "X-User-Id", "9"),
        400,
        "invalid_entity_id",
        "actions[1].entityId");
    isProblem(
        http.post(
            "/api/v1/action/batch",
            body.replace("\"like\",\"entityType\":\"post\",\"entityId\":\"a b\"", "\"hug\""),
            "X-User-Id",
            "9"),
        400,
        "unknown_action",
        "actions[1].action");
    isProblem(
        http.post("/api/v1/action/batch", "{\"actions\":[null]}", "X-User-Id", "9"),
        400,
        "unknown_action",
        "actions[0].action");
  }

  @Test
  void a_batch_is_neither_empty_nor_over_its_limit() {
    String action = "{\"action\":\"like\",\"entityType\":\"post\",\"entityId\":\"bad-input\"}";
    String large = IntStream.range(0, 501).mapToObj(i -> action).collect(Collectors.joining(","));
    for (String actions : new String[] {"", large}) {
      isProblem(
          http.post("/api/v1/action/batch", "{\"actions\":[" + actions + "]}", "X-User-Id", "9"),
          400,
          "batch_size",
          "actions");
    }
    String ids =
        IntStream.range(0, 201).mapToObj(i -> "\"" + i + "\"").collect(Collectors.joining(","));
    for (String some : new String[] {"", ids}) {
      isProblem(
          http.post(
              "/api/v1/counter/batch", "{\"entityType\":\"post\",\"entityIds\":[" + some + "]}"),
          400,
          "batch_size",
          "entityIds");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'entityType':'page','entityIds':['1']} | unknown_entity_type | entityType",
        "{'entityType':'post','entityIds':['1','a b']} | invalid_entity_id | entityIds[1]",
        "{'entityType':'post','entityIds':['1',null]} | invalid_entity_id | entityIds[1]",
        "{'entityType':'post','entityIds':['1'],'metrics':['x']} | unknown_metric | metrics",
        "{'entityType':'post','entityIds':['1'],'userId':0} | invalid_user_id | userId",
        "{'entityType':'post','entityIds':['1'],'userId':-5} | invalid_user_id | userId",
        "{'entityType':'post','entityIds':['1'],'userId':1.5} | malformed_body | userId",
        "{'entityType':'post','entityIds':['1'],'userId':'9'} | malformed_body | userId",
        "{'entityType':'post','entityIds':['1'],'userId':9223372036854775808} | malformed_body"
            + " | userId",
        "{'entityType':'post','entityIds':['1'],'user':9} | unknown_property | user"
      })
  void a_bad_batch_read_is_named(String body, String code, String field) {
    isProblem(http.post("/api/v1/counter/batch", body.replace('\'', '"')), 400, code, field);
  }

  @ParameterizedTest
  @CsvSource({
    "entityType=page, unknown_entity_type, entityType",
    "entityType=, unknown_entity_type, entityType",
    "entityId=1, unknown_entity_type, entityType",
    "entityType=post&entityId=a%20b, invalid_entity_id, entityId",
    "entityType=post&entityId=, invalid_entity_id, entityId",
    "limit=0, invalid_parameter, limit",
    "limit=-1, invalid_parameter, limit",
    "limit=201, invalid_parameter, limit",
    "limit=many, invalid_parameter, limit",
    "limit=9999999999, invalid_parameter, limit",
    "before=0, invalid_parameter, before",
    "before=-5, invalid_parameter, before",
    "before=x, invalid_parameter, before",
    "before=9223372036854775808, invalid_parameter, before"
  })
  void a_bad_question_for_the_audit_is_named(String query, String code, String field) {
    isProblem(http.get("/api/v1/admin/audit?" + query), 400, code, field);
  }

  @Test
  void a_bad_read_is_named() {
    isProblem(http.get("/api/v1/counter/page/1"), 400, "unknown_entity_type", "entityType");
    isProblem(http.get("/api/v1/counter/post/a%20b"), 400, "invalid_entity_id", "entityId");
    isProblem(
        http.get("/api/v1/counter/post/1?metrics=like,shares"), 400, "unknown_metric", "metrics");
    isProblem(http.get("/api/v1/counter/post/1?metrics=read"), 400, "unknown_metric", "metrics");
    isProblem(http.get("/api/v1/counter/post/1?exact=perhaps"), 400, "invalid_parameter", "exact");
    isProblem(http.get("/api/v1/admin/jobs/17"), 400, "invalid_parameter", "id");
    isProblem(
        http.get("/api/v1/admin/jobs/00000000-0000-0000-0000-000000000000"), 404, "not_found", "");
  }
}
