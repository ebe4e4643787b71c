/**
 * Stage 4 of 6: folds buckets into counters. In: dirty entities of a lane. Out: counters, every
 * second. Truth: none of its own.
 *
 * <p>Taking a bucket, adding it and deleting it is one script, so a crash leaves all or nothing. A
 * counter that is missing, malformed or would leave its range is never patched but rebuilt.
 */
@ApplicationModule(allowedDependencies = {"metric", "platform", "lane", "rebuild"})
@NullMarked
package dev.bitfold.flush;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
