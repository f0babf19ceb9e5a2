// Runs the hooks `beforeSend` of the page around the request that sends a message.
import { type PlatformError, platformError } from '../../../protocol/error.ts';
import { clientMessageIdKey, type Payload } from '../../../protocol/message.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { hookError, payloadOf } from '../hooks/result.ts';
import type { SessionInternals } from './context.ts';

/** Milliseconds after which a hook has failed. */
const timeoutMs = 10_000;

const isHookError = (error: unknown) =>
  Object(error).code === ('hook_failed' satisfies PlatformError['code']);

/** Puts the hooks around `createMessage`. A message whose hook fails is not sent, and can be sent again. */
export function changeOutgoing({ widget, client, discard, report }: SessionInternals): void {
  const { createMessage } = client;
  /** The results by message, so that another attempt sends the same. */
  const results = new Map<unknown, Promise<Payload | null>>();
  client.createMessage = async (input, options) => {
    const key = input.metadata?.[clientMessageIdKey];
    const changing = results.get(key) ?? runBeforeSend(widget, input.payload);
    results.set(key, changing);
    try {
      const payload = await changing;
      options?.signal?.throwIfAborted();
      if (payload) return await createMessage({ ...input, payload }, options);
    } catch (error) {
      // The visitor can send the message again, and the hooks run again.
      if (isHookError(error)) results.delete(key);
      throw isHookError(error) ? report(error) : error;
    }
    discard(String(key));
    throw platformError('discarded', 'A hook of the page has refused the message.');
  };
}

async function runBeforeSend({ hooks, signal }: Widget, first: Payload): Promise<Payload | null> {
  let payload = first;
  for (const hook of hooks) {
    const done = new AbortController();
    const late = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(new Error('It has not answered within ten seconds.')), timeoutMs);
      for (const one of [signal, done.signal]) {
        one.addEventListener(
          'abort',
          () => {
            clearTimeout(timer);
            reject(signal.reason);
          },
          { signal: done.signal },
        );
      }
    });
    late.catch(() => {});
    try {
      const asking = async () => hook.beforeSend?.({ payload: structuredClone(payload) });
      const result = await Promise.race([asking(), late]);
      if (result === null) return null;
      if (result) payload = payloadOf(result);
    } catch (error) {
      signal.throwIfAborted();
      throw hookError('beforeSend', error);
    } finally {
      done.abort();
    }
  }
  return payload;
}
