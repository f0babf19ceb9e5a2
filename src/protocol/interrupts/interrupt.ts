// An interrupt as a bot asks it, and as the bot gets it back. Types only.
import type { PartOf } from '../parts.ts';
import type { ResponseSchema } from './response-schema.ts';

type InterruptPart = PartOf<'interrupt'>;

/** A question that ends an answer of the bot and waits for the visitor. */
export interface NewInterrupt {
  /** `client_tool`: the page of the visitor runs the tool `toolName`, and the answer is a `ClientToolAnswer`. */
  reason: InterruptPart['reason'];
  /** Plain text: what the visitor is asked. */
  message: string;
  /** The part of the tool that waits for the answer; it becomes `approval-requested`. */
  toolId?: string;
  /** By default, that of the tool. */
  toolName?: string;
  /** What the visitor agrees to; by default, the input of the tool. */
  input?: Record<string, unknown>;
  /** The form of the answer; by default, `{approved: boolean}`. */
  responseSchema?: ResponseSchema;
  /** A tool of the page: the tab that runs it, and that nobody is asked; by default, as the event has it. */
  clientId?: string;
  readOnly?: true;
  /** Milliseconds after which it is cancelled: 30 seconds to 7 days, by default 15 minutes; 2 minutes where nobody is asked. */
  expiresIn?: number;
  /** Any JSON value that the server keeps and the bot gets back. Nobody else can read it. */
  state?: unknown;
}

/** An interrupt that was settled, as the bot gets it with the event `resume`. */
export interface SettledInterrupt {
  id: string;
  status: Exclude<InterruptPart['state'], 'open'>;
  by: NonNullable<InterruptPart['by']>;
  /** What was answered; it has the form that the bot asked for. Left out if the interrupt was cancelled. */
  payload?: Record<string, unknown>;
  /** The `state` that the bot gave. */
  state?: unknown;
}
