// Tells whether an agent refuses a run because an earlier one of the thread is not over.
import type { IncomingMessage } from 'node:http';

/**
 * The words of LangGraph ("Thread is already running a task"), CopilotKit ("Thread already running"), AG-UI's runners and others. They
 * decide only whether the request is sent again, and are never shown.
 */
const busyText =
  /\balready (?:running|executing|active|processing|in progress|being processed)|\balready has an? (?:active|running|pending)? ?run|\brun (?:is )?(?:already )?in progress|\bthread (?:is )?(?:currently )?(?:busy|locked)|\bconcurrent runs?\b|\bmultitask/i;
const busyCode =
  /^(?:thread|run|agent|session)?[_-]?(?:already[_-]?running|busy|locked|in[_-]?progress|conflict)$/i;

/** `message` and `code`: of an error, in whatever form. */
export const isBusy = (message: unknown, code?: unknown): boolean =>
  (typeof message === 'string' && busyText.test(message.slice(0, 4_000))) ||
  (typeof code === 'string' && busyCode.test(code));

/** Statuses that mean it: Conflict, Locked. */
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
