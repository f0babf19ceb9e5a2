// The tools, the context and the blocks of the page, as a client sends them with a message, and what a call of such a tool is
// answered with.
// Types, and their limits. The dictionary of a tool is that of WebMCP (https://webmachinelearning.github.io/webmcp/).

export type { ClientContext, ClientTool, ClientToolAnswer, PageClient } from '../types/interrupts.ts';

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
