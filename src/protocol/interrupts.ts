// Settled interrupts, and the limits of the tools, the context and the blocks of the page. The dictionary of a tool is that of WebMCP
// (https://webmachinelearning.github.io/webmcp/).
import type { PartOf } from './parts.ts';

export type { ClientContext, ClientTool, ClientToolAnswer, PageClient } from './types/interrupts.ts';

export const clientLimits = {
  tools: 32,
  /** Entries of the context. */
  context: 32,
  /** Names of blocks. */
  blocks: 32,
  /** Bytes of all of it together, as JSON. */
  bytes: 32_000,
  /** Characters of the name of a tool, of a block or of a client, and of a title. */
  name: 64,
  title: 300,
  /** Bytes of a result as JSON; the widget cuts a longer one. */
  resultBytes: 16_000,
  /** Characters of an error. */
  error: 1_000,
  /** Milliseconds that a call of a tool that asks nobody waits for its page. */
  waitTime: 2 * 60 * 1_000,
  /** Milliseconds that a tool can run in the page; then it has failed. */
  runTime: 30 * 1_000,
  /** Milliseconds after a page has begun to run a tool, until its outcome counts as unknown. */
  claimTime: 60 * 1_000,
} as const;

type InterruptPart = PartOf<'interrupt'>;

/** An interrupt that was settled, as the bot gets it with the event `resume`. */
export interface SettledInterrupt {
  id: string;
  status: Exclude<InterruptPart['state'], 'open'>;
  by: NonNullable<InterruptPart['by']>;
  /** The response, in the form that the bot asked for. Left out if the interrupt was cancelled. */
  payload?: Record<string, unknown>;
  /** The `state` that the bot gave. */
  state?: unknown;
}
