// Limits of the interrupts of one message. Longer ones are refused: nobody can agree to something that is not shown completely.
export const interruptLimits = {
  interrupts: 10,
  /** Characters of the question. */
  message: 2_000,
  /** Bytes of the input of the tool as JSON, of the schema of the answer, and of the answer. */
  inputBytes: 16_000,
  schemaBytes: 16_000,
  responseBytes: 16_000,
  /** Bytes of the answer as JSON that the part shows; more is cut there. */
  shownResponseBytes: 4_000,
  /** Bytes of the state that the bot gets back, as JSON. */
  stateBytes: 64_000,
  /** Properties of a form, the choices of one, and characters of a name, a title or a choice, and of a description. */
  properties: 12,
  choices: 100,
  title: 300,
  description: 1_000,
  /** Milliseconds until an interrupt is cancelled: the default, the shortest and the longest time. */
  defaultTime: 15 * 60 * 1_000,
  minTime: 30 * 1_000,
  maxTime: 7 * 24 * 60 * 60 * 1_000,
} as const;
