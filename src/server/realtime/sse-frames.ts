// The frames of a stream as bytes (WHATWG server-sent events). Made once, sent to every listener.

import type { Signal } from '../../protocol/signal.ts';
import { ping } from '../../protocol/signal.ts';

/** One frame; `seq` is its place in the conversation's order, absent for what is not kept (typing, deltas). */
export interface Frame {
  seq?: number;
  bytes: Uint8Array;
}

const encoder = new TextEncoder();

/** `event: message` is what existing clients listen for; `id:` is what they give back as Last-Event-ID. */
export function signalFrame(signal: Signal, seq?: number): Frame {
  const id = seq === undefined ? '' : `id: ${seq}\n`;
  const bytes = encoder.encode(`${id}event: message\ndata: ${JSON.stringify(signal)}\n\n`);
  return seq === undefined ? { bytes } : { seq, bytes };
}

/** Keeps clients' watchdogs quiet: a real frame, because comments do not feed them. */
export const pingFrame: Frame = { bytes: encoder.encode(`event: message\ndata: ${ping}\n\n`) };

/** The first bytes of a stream: they tell proxies and clients at once that it is open. */
export const openingFrame: Frame = { bytes: encoder.encode(': open\n\n') };
