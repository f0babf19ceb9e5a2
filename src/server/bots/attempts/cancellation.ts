// How running bot code is interrupted: by the time limit, by a deletion, or by a server that stops.
import { ApiError } from '../../api/errors.ts';
import { EventLost } from './claims.ts';

/** The abort reason of a handler that exceeds the time limit. */
export const timeoutError = (timeLimit: number): ApiError =>
  new ApiError('OperationTimeout', `The handler did not finish within ${timeLimit} ms.`);

/** The abort reason of a handler that is cancelled without having failed. */
export const cancelled = new Error(
  'The server is stopping, or the conversation was deleted, or another message has taken the place of this one.',
);

/** The abort reason of a handler whose conversation a person has taken over, or waits for. The event is over. */
export const handledByPerson = new Error('A person answers this conversation now: the bot can send nothing.');

/** The abort reason of a handler whose event other processes may handle now. Nothing that it writes is stored. */
export const leaseLost = new Error(
  'The server lost the lease of the event: it was frozen or cut off, or the event was deleted. Another process handles it.',
);

/** Whether the handler ended for a reason that has nothing to do with its bot: the end of the event is not stored. */
export const isInterrupted = ({ reason }: AbortSignal): boolean =>
  reason === cancelled || reason === leaseLost;

/** True for the error of a write whose conversation was deleted meanwhile, or whose event was taken over. */
export const isConversationMissing = (error: unknown): boolean =>
  error instanceof EventLost || (error instanceof ApiError && error.type === 'ResourceNotFound');

/** Resolves when `work` does, after `milliseconds` at the latest. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, timedOut]).finally(() => clearTimeout(timer));
}

/** Returns the result of `work`, unless the signal is aborted before: then it rejects with its reason. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    // Removed below: the signal can be that of the whole server, and lasts longer than the work.
    else signal.addEventListener('abort', abort);
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}
