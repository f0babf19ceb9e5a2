// Reads what a hook of the page returns, and reports that one has failed.
import { type PlatformError, platformError } from '../../../protocol/error.ts';
import type { Payload } from '../../../protocol/message.ts';

/** Returns a copy of the payload that a hook returns. Throws if it is none. */
export function payloadOf({ payload }: { payload: Payload }): Payload {
  if (typeof payload?.type !== 'string') throw new TypeError('It must return { payload }, with a type.');
  return structuredClone(payload);
}

export const hookError = (name: string, cause: unknown): PlatformError =>
  platformError('hook_failed', `The hook ${name} of the page has failed: ${String(cause)}`, cause);
