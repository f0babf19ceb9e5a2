// The words of `GET {chat}/webchat`: what a server with our additions can do. Types only; no I/O.
import type { Configuration } from './config.ts';

/** A capability beyond the plain Chat API. */
export type Feature = 'replay' | 'idempotency' | 'stream' | 'typing';

/** The answer of `GET {chat}/webchat`; 404 means a plain Chat API server. */
export interface Webchat {
  /** The dashboard configuration of this bot. */
  configuration: Configuration;
  features: Feature[];
  limits: { messageBytes: number };
}
