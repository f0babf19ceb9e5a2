// Tells from a response whether an agent refuses a run because an earlier one of the thread is not over.
import type { IncomingMessage } from 'node:http';
import { isBusy } from './busy.ts';

/** Statuses of which each means it: Conflict, Locked. */
const busyStatuses = [409, 423];
/** Statuses that servers use for it among other things. LangGraph: 422, CopilotKit: 500. */
const otherStatuses = [400, 422, 500];
/** Bytes of a body that are read. */
const maxBytes = 4_000;

/** Reads the beginning of the body where it decides. Its words are not kept. Throws what reading throws. */
export async function isBusyResponse(response: IncomingMessage): Promise<boolean> {
  const status = response.statusCode ?? 0;
  if (busyStatuses.includes(status)) return true;
  if (!otherStatuses.includes(status)) return false;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxBytes) break;
  }
  return isBusy(Buffer.concat(chunks).toString());
}
