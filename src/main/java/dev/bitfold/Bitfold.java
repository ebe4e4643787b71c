package dev.bitfold;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The service. */
@SpringBootApplication
public class Bitfold {

  public static void main(String[] args) {
    SpringApplication.run(Bitfold.class, args);
  }
}
