/**
 * What operators see of the lanes: health and gauges. In: the lanes owned here. Out: actuator.
 * Truth: none of its own.
 */
@ApplicationModule(allowedDependencies = {"metric", "lane"})
@NullMarked
package dev.bitfold.ops;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
