/** Limits of the HTTP door, and problems with stable codes. */
@NullMarked
package dev.bitfold.platform.web;

import org.jspecify.annotations.NullMarked;
