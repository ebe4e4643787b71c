/** Redis, Kafka, PostgreSQL, HTTP and time, as this service wants them. Knows no stage. */
@ApplicationModule(
    allowedDependencies = {"metric"},
    type = ApplicationModule.Type.OPEN)
@NullMarked
package dev.bitfold.platform;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
