/**
 * Redis, Kafka and PostgreSQL without Docker; nobody depends on it.
 *
 * <p>In: Maven Central artifacts on the class path (a static Redis binary, the Kafka broker, the
 * PostgreSQL archive). Out: three real servers on the loopback address and the connection details
 * Spring Boot needs to reach them. Truth: none of its own; the servers keep their data below {@code
 * bitfold.embedded.data}.
 *
 * <p>Each server is a child process in a session of its own, so Ctrl-C in a terminal reaches only
 * the service, which stops its clients first and its servers last. Guarantees:
 *
 * <ul>
 *   <li>A start either gives three ready servers or leaves no process behind and says in one
 *       sentence what is wrong and what to do.
 *   <li>After {@code kill -9} of the service Kafka leaves by itself (its standard input closes);
 *       Redis and PostgreSQL stay up and are stopped by the next start, which recognises them by
 *       pid file, program and data directory. A process that is not ours is never touched.
 *   <li>A file that is half unpacked or a database that is half created is replaced: both are made
 *       under another name and moved into place.
 * </ul>
 */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package dev.bitfold.embedded;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
