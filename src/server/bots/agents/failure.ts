// The failure of a run of an agent: a code of this server, and never what the agent wrote.

/** The agent has given no answer, or only a part of one. */
export class AgentFailure extends Error {
  override name = 'AgentFailure';
  /** A code of this server, such as `timeout` or `incomplete`, or Node's code for a failed connection. */
  readonly code: string;
  /** The status of the response, if it is the reason. */
  readonly status: number | undefined;
  /** Whether the visitor has the beginning of the answer, so that no message about the failure is sent. */
  readonly isAnswered: boolean;

  constructor(
    code: string,
    { status, isAnswered = false }: { status?: number | undefined; isAnswered?: boolean } = {},
  ) {
    super(status === undefined ? code : `${code} ${status}`);
    this.code = code;
    this.status = status;
    this.isAnswered = isAnswered;
  }
}
