package dev.bitfold.metric;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.codec.digest.MurmurHash3;

/**
 * All lanes of a deployment, and which entity is in which.
 *
 * @param count fixed when the data is first created
 */
public record Lanes(int count) {

  private static final int SEED = 0;

  public Lane of(Entity entity) {
    byte[] name = entity.toString().getBytes(StandardCharsets.UTF_8);
    int hash = MurmurHash3.hash32x86(name, 0, name.length, SEED);
    return new Lane(Integer.remainderUnsigned(hash, count));
  }

  public List<Lane> all() {
    return IntStream.range(0, count).mapToObj(Lane::new).toList();
  }
}
