// The tools, the context and the blocks of the page, as a client sends them with a message, and what a call of such a tool is
// answered with.
// Types, and their limits. The dictionary of a tool is that of WebMCP (https://webmachinelearning.github.io/webmcp/).

/** A tool that the page of the visitor runs. */
export interface ClientTool {
  /** 1 to 64 letters, digits, `_` and `-`. */
  name: string;
  /** What the visitor reads; by default, the name. */
  title?: string;
  /** What the bot reads. */
  description: string;
  /** JSON Schema of an object. */
  inputSchema?: Record<string, unknown>;
  annotations?: {
    /** The tool changes nothing: it runs without asking the visitor. */
    readOnlyHint?: boolean;
    /** The result contains text that others have written. */
    untrustedContentHint?: boolean;
  };
}

/** Something that the page says of itself, for the bot. */
export interface ClientContext {
  description: string;
  value: string;
}

/**
 * What the page offers to the bot. It lives as long as the event that it came with, and is in no message, signal, list or
 * export.
 */
export interface PageClient {
  /** Tells the tabs of a visitor apart: only the one with this id runs the tools. Without one, each that has the tool can. */
  id?: string;
  tools?: ClientTool[];
  context?: ClientContext[];
  /** The names of the blocks that the page draws. */
  blocks?: string[];
}

/**
 * The answer to a call of a tool of the page: its result (any JSON value), why it has none (for the bot), or that the visitor did
 * not allow it.
 */
export type ClientToolAnswer = { result: unknown } | { error: string } | { approved: false };

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
