/** Connections to Redis that fail at once and send nothing twice, and the texts of scripts. */
@NullMarked
package dev.bitfold.platform.redis;

import org.jspecify.annotations.NullMarked;
