package dev.bitfold;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModules;

/** The tree reads like the architecture: arrows between packages are declared and true. */
class ArchitectureTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.bitfold");

  @Test
  void packages_use_only_what_they_declare() {
    ApplicationModules.of(Bitfold.class).verify();
  }

  @Test
  void packages_have_no_cycle() {
    SlicesRuleDefinition.slices()
        .matching("dev.bitfold.(*)..")
        .should()
        .beFreeOfCycles()
        .check(CLASSES);
  }

  @Test
  void nobody_depends_on_embedded() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.bitfold.embedded..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.bitfold.embedded..")
        .check(CLASSES);
  }

  @Test
  void the_vocabulary_knows_neither_spring_nor_stores() {
    classes()
        .that()
        .resideInAPackage("dev.bitfold.metric..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.bitfold.metric..",
            "java..",
            "org.jspecify..",
            "tools.jackson..",
            "org.apache.commons.codec..")
        .check(CLASSES);
  }

  @Test
  void names_have_one_meaning() {
    for (String word : List.of("Manager", "Helper", "Util", "Processor", "ServiceImpl")) {
      noClasses().should().haveSimpleNameEndingWith(word).check(CLASSES);
    }
    classes().that().haveSimpleNameEndingWith("Settings").should().beRecords().check(CLASSES);
  }

  @Test
  void every_package_is_null_marked() {
    assertThat(CLASSES)
        .extracting(type -> type.getPackage().isAnnotatedWith(NullMarked.class))
        .doesNotContain(false);
  }
}
