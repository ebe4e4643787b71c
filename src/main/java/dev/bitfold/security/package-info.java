/**
 * Who is asking: bearer tokens or a trusted header. In: the request. Out: the current user. Truth:
 * none of its own.
 */
@ApplicationModule(allowedDependencies = {"metric", "platform"})
@NullMarked
package dev.bitfold.security;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
