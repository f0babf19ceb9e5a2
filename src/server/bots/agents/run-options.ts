// The options of a run of an agent, with the functions that it calls.
import type { BotStreamHandle } from '../answers/stream.ts';
import type { Addresses } from '../webhooks/addresses.ts';
import type { Agent } from './agent.ts';
import type { EarlierTools } from './answer.ts';
import type { GivenPassages } from './knowledge/passages.ts';
import type { AgentProtocol, AgentRun } from './protocol.ts';
import type { RequestTimes } from './request.ts';
import type { BatchScheduler } from './response/batch-scheduler.ts';
import type { AgentTool } from './steps/tools.ts';

export interface RunOptions {
  agent: Agent;
  protocol: AgentProtocol;
  /** Its `tools` are those of `tools` below. */
  run: Omit<AgentRun, 'tools'>;
  /** The tools that the server runs, or whose results it requests from the page; none by default. */
  tools?: readonly AgentTool[] | undefined;
  /** The maximum number of requests of the run; by default that of the settings. */
  steps?: number | undefined;
  /** The answer, in which nothing is written yet. */
  handle: BotStreamHandle;
  addresses: Addresses;
  times?: (Partial<RequestTimes> & { run?: number }) | undefined;
  /** Shares the main thread between all runs of a server; and the bot of this one. */
  scheduler?: BatchScheduler | undefined;
  botId?: string | undefined;
  /** The tools of the message whose interrupts were answered, if the run continues after them. */
  earlier?: EarlierTools | undefined;
  /** The words for a question about which the agent says nothing; by default in English. */
  unknownQuestion?: string | undefined;
  /** The passages that the agent can cite, including those that its tools find. */
  passages?: GivenPassages | undefined;
  /** Only a closing tag has told that text was reasoning. */
  onThinking?(): void;
  /** Called before anything is written. */
  onFirst?(): void;
  /** Called at the end in any case, with the tokens that the agent reported, otherwise with an estimate. */
  onUsage?(tokens: number): void;
  /** Whether another step may follow, with the tokens of the run so far; by default it may. */
  mayContinue?(tokens: number): Promise<boolean>;
  /** The state of the agent is too large to be kept; its bytes. */
  onStateDropped?(bytes: number): void;
  /** A tool of the platform has thrown an error. */
  onToolError?(name: string, error: unknown): void;
}
