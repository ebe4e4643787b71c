package dev.bitfold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a chaos run has proven. */
class ChaosReportTest {

  @Test
  void a_branch_that_was_taken_before_anything_broke_does_not_count() {
    ChaosReport report = new ChaosReport(1, ChaosForm.SHORT, "fast");
    report.meters(Map.of(Branch.RECOVERED.meter(), 8L));
    report.calm(new History(List.of(), List.of(), List.of(), Map.of()), 0);
    assertThat(report.branches()).isEmpty();
    report.meters(Map.of(Branch.RECOVERED.meter(), 9L, Branch.FENCED.meter(), 1L));
    assertThat(report.branches()).containsExactly(Branch.FENCED, Branch.RECOVERED);
  }
}
