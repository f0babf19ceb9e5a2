// Types of what `platform.doctor()` returns. Types only.

/** One problem that `platform.doctor()` has found. */
export interface Finding {
  /** A code of the table in docs/reference/errors.md. */
  code: string;
  /** `warning`: the chat works, but not fully. `error`, or absent: it keeps the chat from showing or connecting. */
  severity?: 'error' | 'warning';
  /** The problem, with the name of its cause: an address, a directive, an element. */
  message: string;
  /** What to do about it. */
  cure: string;
  /** The text of the server or the browser. */
  detail?: string;
}

/** The result of `platform.doctor()`. */
export interface Diagnosis {
  /** There is no finding of severity `error`. */
  ok: boolean;
  /** Sorted by severity; empty if there are no problems. */
  findings: readonly Finding[];
  /**
   * What was checked, and what could not be checked: plain data for a bug report, without keys and names. Absent
   * if the diagnostics bundle could not be loaded.
   */
  environment?: Readonly<Record<string, unknown>>;
}
