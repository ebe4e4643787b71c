package dev.bitfold.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bitfold.testkit.AppTest;
import dev.bitfold.testkit.Await;
import dev.bitfold.testkit.BitfoldApp;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What operators can see of a running instance. */
class SeenFromOutsideIT extends AppTest {

  @Test
  void every_stage_has_its_meters() {
    http.act(1, "like", "meters");
    app.awaitSettled();
    String scraped = app.management().get("/actuator/prometheus").text();
    assertThat(
            List.of(
                "bitfold_fact_toggles_total{change=\"changed\"}",
                "bitfold_fact_toggles_total{change=\"unchanged\"}",
                "bitfold_fact_calls_total",
                "bitfold_fact_held_total",
                "bitfold_outbox_events_total{outcome=\"relayed\"}",
                "bitfold_outbox_events_total{outcome=\"failed\"}",
                "bitfold_outbox_go_backs_total",
                "bitfold_outbox_length{lane=\"0\"}",
                "bitfold_bucket_events_total{outcome=\"applied\"}",
                "bitfold_bucket_events_total{outcome=\"duplicate\"}",
                "bitfold_bucket_events_total{outcome=\"gap\"}",
                "bitfold_bucket_events_total{outcome=\"stale\"}",
                "bitfold_bucket_events_total{outcome=\"floored\"}",
                "bitfold_bucket_dead_letters_total",
                "bitfold_flush_counters_total{outcome=\"flushed\"}",
                "bitfold_flush_counters_total{outcome=\"rebuilt\"}",
                "bitfold_flush_counters_total{outcome=\"astray\"}",
                "bitfold_rebuild_counters_total{outcome=\"rebuilt\"}",
                "bitfold_rebuild_counters_total{outcome=\"fenced\"}",
                "bitfold_read_counters_total{source=\"fresh\"}",
                "bitfold_read_counters_total{source=\"rebuilt\"}",
                "bitfold_read_counters_total{source=\"degraded\"}",
                "bitfold_reconcile_entities_total{outcome=\"agrees\"}",
                "bitfold_reconcile_entities_total{outcome=\"corrected\"}",
                "bitfold_reconcile_entities_total{outcome=\"skipped\"}",
                "bitfold_reconcile_passes_total",
                "bitfold_reconcile_audits_total{cause=\"drift\"}",
                "bitfold_reconcile_audits_total{cause=\"malformed\"}",
                "bitfold_reconcile_audits_total{cause=\"astray\"}",
                "bitfold_reconcile_audits_total{cause=\"stranded\"}",
                "bitfold_recover_lanes_total",
                "bitfold_recover_events_total",
                "bitfold_lane_owned{state=\"open\"} " + (double) BitfoldApp.LANES,
                "bitfold_lane_lag_seconds{lane=\"0\"}"))
        .allSatisfy(meter -> assertThat(scraped).contains(meter));
  }

  @Test
  void no_id_becomes_a_series() {
    for (int i = 0; i < 50; i++) {
      http.get("/api/v1/counter/post/series-" + i);
    }
    assertThat(app.management().get("/actuator/prometheus").text()).doesNotContain("series-");
  }

  @Test
  void health_tells_each_lane_and_only_three_endpoints_are_open() {
    var health = app.management().get("/actuator/health");
    assertThat(health.json().at("/components/lanes/details/lanes/0").asString(""))
        .isEqualTo("open");
    assertThat(health.json().at("/components/lanes/details/open").asInt())
        .isEqualTo(BitfoldApp.LANES);
    assertThat(app.management().get("/actuator/info").json().at("/build/name").asString(""))
        .isEqualTo("Bitfold");
    for (String closed : List.of("env", "beans", "heapdump", "loggers", "shutdown")) {
      assertThat(app.management().get("/actuator/" + closed).status()).isEqualTo(404);
    }
    assertThat(http.get("/actuator/health").status()).isEqualTo(404);
  }

  @Test
  void every_event_issued_is_folded_once() {
    double issued = app.meter("bitfold.fact.toggles", "change", "changed");
    double applied = app.meter("bitfold.bucket.events", "outcome", "applied");
    double floored = app.meter("bitfold.bucket.events", "outcome", "floored");
    for (int user = 1; user <= 40; user++) {
      http.act(user, "like", "accounted");
    }
    assertThat(app.meter("bitfold.fact.toggles", "change", "changed") - issued).isEqualTo(40);
    Await.until(
        "as many folded",
        () ->
            app.meter("bitfold.bucket.events", "outcome", "applied")
                    - applied
                    + app.meter("bitfold.bucket.events", "outcome", "floored")
                    - floored
                == 40);
  }
}
