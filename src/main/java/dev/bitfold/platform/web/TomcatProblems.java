package dev.bitfold.platform.web;

import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.springframework.http.MediaType;

/**
 * Answers what Tomcat refuses before the service hears of it, such as a malformed URL, in the form
 * of all other problems.
 */
public class TomcatProblems extends ErrorReportValve {

  @Override
  protected void report(Request request, Response response, Throwable failure) {
    if (response.getStatus() < 400
        || response.getContentWritten() > 0
        || !response.setErrorReported()) {
      return;
    }
    ProblemCode code = ProblemCode.of(response.getStatus());
    String problem =
        "{\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\",\"code\":\"%s\"}"
            .formatted(code.title(), response.getStatus(), code.title(), code.code());
    try {
      response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
      response.getReporter().write(problem);
      response.finishResponse();
    } catch (IOException gone) {
      container.getLogger().debug("the caller is gone", gone);
    }
  }
}
