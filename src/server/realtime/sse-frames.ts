// Encodes signals as frames of server-sent events (WHATWG). A frame is encoded once and sent to every subscriber.
import { ping, type Signal } from '../../protocol/signal.ts';

/** One frame. `seq`: the sequence number in the conversation; undefined for signals that are not logged (typing, deltas). */
export interface Frame {
  seq?: number;
  bytes: Uint8Array;
}

const encoder = new TextEncoder();

/** Existing clients listen for `event: message`, and send `id:` back as Last-Event-ID. */
export function signalFrame(signal: Signal, seq?: number): Frame {
  const id = seq === undefined ? '' : `id: ${seq}\n`;
  const bytes = encoder.encode(`${id}event: message\ndata: ${JSON.stringify(signal)}\n\n`);
  return seq === undefined ? { bytes } : { seq, bytes };
}

/** Keeps the watchdog timers of clients from firing. A real frame, because clients do not see comments. */
export const pingFrame: Frame = { bytes: encoder.encode(`event: message\ndata: ${ping}\n\n`) };

/** A ping with the position of the stream: a client that has not received the frame of this id has lost it. */
export const pingBytes = (position: number): Uint8Array =>
  encoder.encode(`id: ${position}\nevent: message\ndata: ${ping}\n\n`);

/** Moves the position over a signal that cannot be rebuilt. Clients do not see a frame without data as an event (WHATWG). */
export const skipFrame = (seq: number): Frame => ({ seq, bytes: encoder.encode(`id: ${seq}\n\n`) });

/** Tells a client how many milliseconds to wait before it reconnects (WHATWG). */
export const retryFrame = (milliseconds: number): Frame => ({
  bytes: encoder.encode(`retry: ${milliseconds}\n\n`),
});

/** The first bytes of a stream, so that proxies and clients see at once that it is open. */
export const openingFrame: Frame = { bytes: encoder.encode(': open\n\n') };
