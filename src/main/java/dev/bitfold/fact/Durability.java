package dev.bitfold.fact;

/** When a toggle is answered. */
public enum Durability {
  /** When Redis has it. */
  FAST,
  /** When Kafka has it and everything before it in its lane. */
  DURABLE
}
