package dev.bitfold.bench.opponent;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.web.bind.annotation.RestController;

/** A controller that is there only while the benchmark runs. */
@RestController
@ConditionalOnProperty("bench.opponents")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface Opponent {}
