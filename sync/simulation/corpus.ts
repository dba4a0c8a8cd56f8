/**
 * Seeds of schedules that found a fault. They run first. A seed stands for its schedule only as long as
 * schedules are drawn in the same way: who changes that searches again, with the fault put back.
 */
export const corpus: readonly number[] = [
  /** Words typed while their article was let go of stayed held after its return. */
  104,
  /** A late duplicate of a refresh ended the session. */
  390,
  /** A screen stood still when another tab died between its write and its message. */
  252,
  /** Words were taken back after the server's text had moved on, and the draft stayed at the old text. */
  10_451,
]
