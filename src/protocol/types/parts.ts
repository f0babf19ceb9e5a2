// Generated from src/protocol/schemas/parts.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { ResponseSchema } from './interrupts.ts';

export interface PartFields {
  /** Unique in its message: 1 to 64 letters, digits, `_` and `-`. */
  id: string;
  /** Where the part belongs: the number of characters (UTF-16) of the text before it. */
  at: number;
  /** A text or a value was longer than its limit. */
  truncated?: true;
  /** `text`, `input`, `output` or `response` are left out here, because they are long: `getMessage` returns them. */
  omitted?: true;
}

/** The states of a tool. `cancelled`: the answer ended before the tool did. */
export type ToolState =
  | 'input-streaming'
  | 'input-available'
  | 'approval-requested'
  | 'approval-responded'
  | 'output-available'
  | 'output-error'
  | 'output-denied'
  | 'cancelled';

/** The activity of the bot while it answers. It is not stored. */
export interface StatusPart extends PartFields {
  type: 'status';
  text: string;
}

/** The reasoning of the bot before it answered. Times: ISO 8601 UTC. */
export interface ReasoningPart extends PartFields {
  type: 'reasoning';
  text?: string;
  state: 'streaming' | 'done';
  startedAt: string;
  endedAt?: string;
}

/** A step: a tool that the bot used. */
export interface ToolPart extends PartFields {
  type: 'tool';
  /** The name of the tool in the code of the bot. */
  toolName: string;
  /** The title that the visitor reads, by default the name. */
  title?: string;
  state: ToolState;
  /** Any JSON value. */
  input?: unknown;
  /** Any JSON value. */
  output?: unknown;
  errorText?: string;
}

/** Where a statement comes from. `[n]` in the text refers to the source that is number n of the sources, from 1. */
export interface SourcePart extends PartFields {
  type: 'source';
  title: string;
  /** http or https. */
  url?: string;
  snippet?: string;
  page?: number;
  fileId?: string;
}

/** Suggestions for the next message of the visitor. `value`: the text that is sent, by default the label. */
export interface SuggestionsPart extends PartFields {
  type: 'suggestions';
  items: { label: string; value?: string }[];
}

/** Content that the page draws. `fallback`: the text where the page cannot. */
export interface BlockPart extends PartFields {
  type: 'block';
  name: string;
  data: unknown;
  fallback: string;
}

/**
 * A question of the bot that waits for the visitor: it is answered once (`respondToInterrupt`), or cancelled. Its id is
 * unique on the server. A refusal is an answer: `{approved: false}`.
 */
export interface InterruptPart extends PartFields {
  type: 'interrupt';
  reason: 'tool_call' | 'input_required' | 'confirmation' | 'client_tool';
  /** Plain text: what the visitor is asked. */
  message: string;
  /** The part of the tool that waits for the answer. */
  toolId?: string;
  toolName?: string;
  /** The input of the tool, which the visitor agrees to. Never cut. */
  input?: Record<string, unknown>;
  /** The form of the answer; by default `approvalSchema`. */
  responseSchema?: ResponseSchema;
  /** ISO 8601 UTC: when it is cancelled without an answer. */
  expiresAt: string;
  state: 'open' | 'resolved' | 'cancelled';
  by?: 'visitor' | 'page' | 'expired' | 'superseded' | 'unknown_outcome';
  /** The answer; of a tool of the page only its outcome: `{outcome: 'done' | 'failed' | 'declined'}`. */
  response?: unknown;
  /** A tool of the page: the tab that runs it. By default each that has the tool. */
  clientId?: string;
  /** A tool of the page: it changes nothing, so that nobody is asked. */
  readOnly?: true;
}

export type Part = StatusPart | ReasoningPart | ToolPart | SourcePart | SuggestionsPart | BlockPart | InterruptPart;

/** A part of a message that is sent whole. */
export type NewPart =
  | {
      /** By default p1, p2 and so on. */
      id?: string;
      /** By default 0. */
      at?: number;
      type: 'reasoning';
      text?: string;
      state: 'streaming' | 'done';
      startedAt: string;
      endedAt?: string;
    }
  | {
      /** By default p1, p2 and so on. */
      id?: string;
      /** By default 0. */
      at?: number;
      type: 'tool';
      /** The name of the tool in the code of the bot. */
      toolName: string;
      /** The title that the visitor reads, by default the name. */
      title?: string;
      state: ToolState;
      /** Any JSON value. */
      input?: unknown;
      /** Any JSON value. */
      output?: unknown;
      errorText?: string;
    }
  | {
      /** By default p1, p2 and so on. */
      id?: string;
      /** By default 0. */
      at?: number;
      type: 'source';
      title: string;
      /** http or https. */
      url?: string;
      snippet?: string;
      page?: number;
      fileId?: string;
    }
  | {
      /** By default p1, p2 and so on. */
      id?: string;
      /** By default 0. */
      at?: number;
      type: 'suggestions';
      items: { label: string; value?: string }[];
    }
  | {
      /** By default p1, p2 and so on. */
      id?: string;
      /** By default 0. */
      at?: number;
      type: 'block';
      name: string;
      data: unknown;
      fallback: string;
    };
