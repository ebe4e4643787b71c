package dev.bitfold.bench;

import dev.bitfold.bench.load.LoadGenerator;

/** What a section works with. */
record Bench(BenchForm form, BenchDeployment deployment, Report report) {

  /** Path of reads and toggles of the service. */
  static final String READ = "/api/v1/counter";

  static final String ACT = "/api/v1/action";
  static final String EMPTY = "/api/v1/empty";
  static final String HOME_MADE = "/api/v1/homemade";
  static final String SQL = "/api/v1/sql";

  LoadGenerator load(int connections) {
    return new LoadGenerator(deployment.service.port(), connections, form.threads());
  }

  /** Calls that another section does not make. */
  Calls calls(int number) {
    return new Calls(form.seed() * 1000 + number);
  }

  /** Any of the entities that single calls choose among. */
  Pick entities() {
    return Pick.uniform(form.entities());
  }
}
