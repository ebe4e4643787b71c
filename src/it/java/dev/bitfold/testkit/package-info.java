/** What the integration tests share: ports, clusters, servers. */
@NullMarked
package dev.bitfold.testkit;

import org.jspecify.annotations.NullMarked;
