// Runs the hooks `beforeSend` of the page around the request that sends a message.
import { type PlatformError, platformError } from '../../../protocol/error.ts';
import { clientMessageIdKey, type Payload } from '../../../protocol/message.ts';
import type { SessionInternals } from '../../chat/session/context.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { callPage, hookError, payloadOf } from './page-callback.ts';

const isHookError = (error: unknown) =>
  Object(error).code === ('hook_failed' satisfies PlatformError['code']);

/** Puts the hooks around `createMessage`. A message whose hook fails is not sent, and can be sent again. */
export function changeOutgoing({ widget, client, discard, report }: SessionInternals): void {
  const { createMessage } = client;
  /** The results of messages that are not sent yet, so that another attempt sends the same. */
  const results = new Map<unknown, Promise<Payload | null>>();
  client.createMessage = async (input, options) => {
    const key = input.metadata?.[clientMessageIdKey];
    const changing = results.get(key) ?? runBeforeSend(widget, input.payload);
    results.set(key, changing);
    try {
      const payload = await changing;
      options?.signal?.throwIfAborted();
      const message = payload && (await createMessage({ ...input, payload }, options));
      results.delete(key);
      if (message) return message;
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
    try {
      const asking = async () => hook.beforeSend?.({ payload: structuredClone(payload) });
      const result = await callPage(asking, signal, timedOut);
      if (result === null) return null;
      if (result) payload = payloadOf(result);
    } catch (error) {
      signal.throwIfAborted();
      throw hookError('beforeSend', error);
    }
  }
  return payload;
}

const timedOut = () => new Error('It has not answered within ten seconds.');
