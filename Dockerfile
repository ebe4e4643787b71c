# The lean jar in an image: Redis, Kafka and PostgreSQL run elsewhere.

FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /build
COPY pom.xml .
COPY lua lua
COPY src/main src/main
# Tests run in CI, not here. The cache keeps the libraries from one build to the next.
RUN --mount=type=cache,target=/m2 mvn -B -ntp -Dmaven.repo.local=/m2 package -Dmaven.test.skip=true
# Of the two jars the one without the embedded servers; a move of more than one file would fail.
RUN rm target/*-standalone.jar \
    && mv target/bitfold-*.jar application.jar \
    && java -Djarmode=tools -jar application.jar extract --layers --destination extracted

FROM eclipse-temurin:25-jre
RUN useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin bitfold
WORKDIR /app
# What changes least comes first, so that a new version of Bitfold moves one small layer.
COPY --from=build /build/extracted/dependencies/ ./
COPY --from=build /build/extracted/spring-boot-loader/ ./
COPY --from=build /build/extracted/snapshot-dependencies/ ./
COPY --from=build /build/extracted/application/ ./
USER 10001:10001
# 8080 is the API. 8081 has health and meters and asks nobody who they are: keep it inside.
EXPOSE 8080 8081
# The base image has neither curl nor wget. Liveness says nothing of Redis, Kafka or PostgreSQL:
# to restart Bitfold because one of them is away would only make it worse.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --start-interval=2s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8081 && printf 'GET /actuator/health/liveness HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
# The rest of the memory is for threads, class data, and the network buffers of Redis and Kafka.
# More options go in JAVA_TOOL_OPTIONS. No shell in between: the JVM itself gets the stop signal.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=60", "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED", "-jar", "application.jar"]
