// Generated from src/protocol/schemas/client.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/** A tool that the page of the visitor runs. */
export interface ClientTool {
  /** 1 to 64 letters, digits, `_` and `-`. */
  name: string;
  /** The title that the visitor reads; by default, the name. */
  title?: string;
  /** The description that the bot reads. */
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
 * The tools and blocks that the page offers to the bot. They live as long as the event that they came with, and are in
 * no message, signal, list or export.
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
 * The answer to a call of a tool of the page: its result (any JSON value), why it has none (for the bot), or that the
 * visitor did not allow it.
 */
export type ClientToolAnswer = { result: unknown } | { error: string } | { approved: false };
