// Tools, context and blocks of the page, as the page gives them. Types only. The dictionary of a tool is that of WebMCP
// (https://webmachinelearning.github.io/webmcp/), so that one object serves both.
import type { ClientTool } from '../interrupts/client-tools.ts';
import type { PageBlock } from './page-block.ts';

/** A tool of the page, which the bot can call. */
export interface PageTool extends Omit<ClientTool, 'inputSchema'> {
  /** JSON Schema of the input, an object. The input is checked before `execute` is called. */
  inputSchema?: object;
  /**
   * Runs the tool. Returns a JSON value, of which the bot gets at most 16,000 bytes, or a promise of one within 30 seconds. If it
   * throws, the bot gets the message of the error. `signal`: aborted when nobody waits for the result any more.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the page knows what its schema allows
  execute(input: any, options: { signal: AbortSignal }): unknown;
}

/** Something that the page says of itself. `value`: any JSON value; everything but a text is sent as JSON. */
export interface PageContextEntry {
  description: string;
  value: unknown;
}

export type PageContext =
  | readonly PageContextEntry[]
  | (() => readonly PageContextEntry[] | Promise<readonly PageContextEntry[]>);

/** What the page offers to the bot. */
export interface PageOffer {
  /** The arguments of `registerTool`. */
  tool?: Parameters<PageMethods['registerTool']>;
  context?: PageContext;
  /** Tools that other code has registered with the browser: the visitor is asked before each call. */
  foreign?(): Promise<readonly PageTool[]>;
  /** The argument of `registerBlock`. */
  block?: PageBlock;
}

/** The methods of `window.platform` for what the page offers. */
export interface PageMethods {
  /**
   * Offers a tool of the page to the bot, with the dictionary of WebMCP. Works at any time. The visitor is asked before it runs,
   * unless `annotations.readOnlyHint` is true. `signal`: removes it when it is aborted, as does the returned function.
   */
  registerTool(tool: PageTool, options?: { signal?: AbortSignal | undefined }): () => void;
  /**
   * Tells the bot about the page with each message. Works at any time; the last call counts, and an empty list removes what an
   * earlier one gave. A function is asked each time a message is sent. Returns
   * a function that removes it.
   */
  setContext(context: PageContext): () => void;
}
