// The interface of the protocols of agents: a protocol creates the request of a run and reads the events of the agent.
// The runner (run.ts) sends the request, applies the limits, and writes what was read into the answer of the bot.
import type { ProtocolName } from '../../../protocol/admin.ts';

/** One protocol. Its functions are pure: they neither wait nor request anything. */
export interface AgentProtocol {
  name: ProtocolName;
  /** Returns the JSON body of the request; the runner merges `options` of the agent into it. */
  request(run: AgentRun): Record<string, unknown>;
  /** Returns the reader of one response. */
  createReader(run: AgentRun): AgentReader;
  /** Whether a response without any event means that the agent is busy with an earlier run: the request is sent again after a pause. */
  isSilentWhenBusy?: true;
  /** The request that ends a run at the agent, beside the end of its connection; undefined if the address has none. */
  cancel?(
    url: string,
    body: Record<string, unknown>,
  ): { url: string; body: Record<string, unknown> } | undefined;
}

/** One turn of an agent: the data for its request. */
export interface AgentRun {
  /** Unique for the event and the attempt, so that an agent can tell a repeated delivery from a new turn. */
  runId: string;
  conversationId: string;
  /** A UUID that belongs to the conversation, for protocols with threads. */
  threadId?: string;
  /** Undefined for protocols without a model. */
  model: string | undefined;
  /** The operator's instructions for the agent. */
  instructions: string;
  /** The conversation, oldest first. The last one is the message that the run answers, except after an interrupt. */
  history: readonly HistoryMessage[];
  /** Passages of the knowledge bases, best first: data, not instructions. */
  knowledge: readonly KnowledgePassage[];
  /** Tools that the agent can call. The server or the page of the visitor runs them. */
  tools: readonly OfferedTool[];
  /** The context that the page gave with the message. */
  context: readonly { description: string; value: string }[];
  /**
   * The last value that the reader emitted with `saveState`: in the previous run of this turn if `resume` is not empty,
   * otherwise in the last run of the conversation, which only ag-ui uses. Undefined if there is none.
   */
  state: unknown;
  /**
   * The answers to the interrupts of the previous run of this turn, and the results of the tools that the server ran
   * after it (`interruptId` is then the id of the call). An interrupt without an answer counts as cancelled.
   */
  resume: readonly Resumed[];
  /** Names of the blocks that the page can draw; none by default. */
  blocks?: readonly string[];
  /** The model writes reasoning as text that only a closing tag ends, as its earlier answers tell. */
  isThinking?: boolean;
  /** The maximum number of tokens that the agent should write. */
  maxOutputTokens: number;
}

export interface HistoryMessage {
  id: string;
  role: 'user' | 'assistant';
  text: string;
  /** ISO 8601 UTC. */
  createdAt: string;
}

export interface KnowledgePassage {
  /** The number by which the answer cites it: `[1]`. */
  number: number;
  title: string;
  text: string;
}

export interface OfferedTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: object;
}

export interface Resumed {
  interruptId: string;
  /** The call that the agent made, if the interrupt belonged to one. */
  toolId?: string;
  toolName?: string;
  status: 'resolved' | 'cancelled';
  /** The answer of the visitor, or the result of the tool. */
  payload?: unknown;
}

/** An event of a stream of server-sent events (WHATWG HTML, section 9.2): its type, and its data without the last newline. */
export interface ServerEvent {
  event: string;
  data: string;
}

export interface AgentReader {
  /**
   * Returns the agent events of a server-sent event; none if the table of the protocol does not contain it. Never
   * throws.
   */
  read(event: ServerEvent): readonly AgentEvent[];
  /**
   * Call it once when the connection has ended. Returns the last agent events: `failed` with the code `incomplete`,
   * unless the agent has reported the end of the run.
   */
  end(): readonly AgentEvent[];
  /** The bytes of the state of the agent if it is too large to be kept, so that its next run begins without one; otherwise 0. */
  droppedState?(): number;
}

/** An event of an agent, independent of its protocol. Ids of tools are those of the agent. */
export type AgentEvent =
  /** Text of the answer, as Markdown. */
  | { type: 'text'; delta: string }
  /** The text that follows begins a paragraph: it belongs to another message or item. */
  | { type: 'paragraph' }
  | { type: 'status'; text: string }
  | { type: 'reasoning'; delta: string }
  /** The text of this response, or since the last `step`, was reasoning, as its closing tag tells. */
  | { type: 'text-was-reasoning' }
  | { type: 'tool'; id: string; name: string; title?: string }
  /** The whole input of a call, as the agent gave it; a text if it is not JSON. */
  | { type: 'tool-input'; id: string; input: unknown }
  | { type: 'tool-output'; id: string; output: unknown }
  | { type: 'tool-error'; id: string }
  | { type: 'tool-denied'; id: string }
  /**
   * A source. `end`: the position of its citation, if the agent gives it: the number of UTF-16 units of all `delta` of
   * `text` before it, without the line breaks that are inserted between paragraphs.
   */
  | { type: 'source'; title: string; url?: string; end?: number }
  | { type: 'block'; id: string; name: string; data: unknown; fallback: string }
  | { type: 'interrupt'; interrupt: AskedInterrupt }
  /** The agent takes back the text and the parts since the last `step`. */
  | { type: 'step' }
  | { type: 'step-back' }
  /**
   * Data that the server stores for the next request after an interrupt, or for the next run. The last value is used.
   */
  | { type: 'saveState'; state: unknown }
  | { type: 'usage'; inputTokens: number; outputTokens: number }
  /**
   * The run is over; nothing follows. `calls`: the agent waits for results of `tools` that have an input and no output;
   * the server or the page runs them. `interrupted`: the agent waits for the answers to its interrupts, and for such
   * results. `unread`: the agent has ended what was open before the message of the visitor, and has not answered the message: the
   * request is sent once more.
   */
  | { type: 'end'; reason: 'finished' | 'truncated' | 'stopped' | 'calls' | 'interrupted' | 'unread' }
  /**
   * The run has failed; nothing follows. `code`: for the log of the bot; never what the agent wrote: `incomplete` (the
   * connection ended too early), `agent_error`, `content_filter`, `invalid_interrupt` (a question that nobody can answer),
   * `state_too_large`; `busy` (an earlier run of the thread is not over): the request is sent again after a pause.
   */
  | { type: 'failed'; code: string };

/** An approval or a question of an agent. */
export interface AskedInterrupt {
  id: string;
  reason: 'tool_call' | 'input_required' | 'confirmation' | 'client_tool';
  /** Plain text; empty if the agent has given none. */
  message: string;
  toolId?: string;
  toolName?: string;
  input?: unknown;
  /** JSON Schema of the answer; without one `{approved: boolean}`. */
  responseSchema?: object;
  /** ISO 8601: after this time the agent takes no answer. */
  expiresAt?: string;
  /** Set for a call of a page tool; `round`: the number of calls of the page in this turn, including this one. */
  page?: { isReadOnly: boolean; round: number };
}
