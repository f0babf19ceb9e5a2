// Generated from src/protocol/schemas/interrupts.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/** A choice with a text that the visitor reads. */
export interface TitledChoice {
  const: string;
  title: string;
}

/** A text. With `enum` or `oneOf`: one of these values. Lengths: in characters (Unicode code points). */
export interface StringProperty {
  type: 'string';
  title?: string;
  description?: string;
  format?: 'email' | 'uri' | 'date' | 'date-time';
  minLength?: number;
  maxLength?: number;
  enum?: string[];
  oneOf?: TitledChoice[];
  default?: string;
}

export interface NumberProperty {
  type: 'number';
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  default?: number;
}

export interface IntegerProperty {
  type: 'integer';
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  default?: number;
}

export interface BooleanProperty {
  type: 'boolean';
  title?: string;
  description?: string;
  default?: boolean;
}

/** Several of the given choices, each at most once. */
export interface ListProperty {
  type: 'array';
  title?: string;
  description?: string;
  items: { type?: 'string'; enum: string[] } | { anyOf: TitledChoice[] };
  minItems?: number;
  maxItems?: number;
  default?: string[];
}

export type ResponseProperty = StringProperty | NumberProperty | IntegerProperty | BooleanProperty | ListProperty;

/** The JSON Schema of an answer: an object without objects inside. */
export interface ResponseSchema {
  type: 'object';
  title?: string;
  description?: string;
  properties: Record<string, ResponseProperty>;
  required?: string[];
}

/** A question that ends an answer of the bot and waits for the visitor. */
export interface NewInterrupt {
  /** `client_tool`: the page of the visitor runs the tool `toolName`, and the answer is a `ClientToolAnswer`. */
  reason: 'tool_call' | 'input_required' | 'confirmation' | 'client_tool';
  /** Plain text: what the visitor is asked. */
  message: string;
  /** The part of the tool that waits for the answer; it becomes `approval-requested`. */
  toolId?: string;
  /** By default, that of the tool. */
  toolName?: string;
  /** The input that the visitor agrees to; by default, that of the tool. */
  input?: Record<string, unknown>;
  /** The form of the answer; by default, `{approved: boolean}`. */
  responseSchema?: ResponseSchema;
  /** A tool of the page: the tab that runs it, and that nobody is asked; by default, as the event has it. */
  clientId?: string;
  readOnly?: true;
  /**
   * Milliseconds after which it is cancelled: 30 seconds to 7 days, by default 15 minutes; 2 minutes where nobody is
   * asked.
   */
  expiresIn?: number;
  /** Any JSON value that the server keeps and the bot gets back. Nobody else can read it. */
  state?: unknown;
}

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
