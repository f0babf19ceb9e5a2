// The streams of the mock server: sends signals to the listeners of a conversation and repeats those that one has missed.
import type { Signal } from '../../../protocol/signal.ts';
import type { StoredConversation } from './store.ts';

interface Listener {
  send(frame: string): void;
  end(error?: unknown): void;
}

export interface SignalHub {
  /** Sends a signal that a listener can miss and receive later. */
  publish(conversation: StoredConversation, signal: Signal): void;
  /** Sends a signal to those who listen now. */
  hint(conversationId: string, signal: Signal): void;
  /** The response of a stream. `after`: the header Last-Event-ID. `signal` ends it as a network error would. */
  listen(
    conversation: StoredConversation,
    after: string | null,
    abortSignal: AbortSignal | undefined,
  ): Response;
  /** Ends all streams, with an error as if the network had failed. */
  cut(error?: unknown): void;
}

export function createSignalHub(): SignalHub {
  const listeners = new Map<string, Set<Listener>>();
  const logs = new Map<string, { seq: number; frame: string }[]>();
  const encoder = new TextEncoder();
  const of = (conversationId: string) => [...(listeners.get(conversationId) ?? [])];

  return {
    publish(conversation, signal) {
      conversation.seq += 1;
      const frame = `id: ${conversation.seq}\ndata: ${JSON.stringify(signal)}\n\n`;
      const log = logs.get(conversation.id) ?? [];
      logs.set(conversation.id, log);
      log.push({ seq: conversation.seq, frame });
      for (const listener of of(conversation.id)) listener.send(frame);
    },
    hint(conversationId, signal) {
      const frame = `data: ${JSON.stringify(signal)}\n\n`;
      for (const listener of of(conversationId)) listener.send(frame);
    },
    listen({ id, seq }, after, abortSignal) {
      const wanted = after !== null && /^\d{1,15}$/.test(after) ? Number(after) : undefined;
      const position = wanted === undefined || wanted > seq ? seq : wanted;
      const set = listeners.get(id) ?? new Set();
      listeners.set(id, set);
      let listener: Listener;
      const remove = () => set.delete(listener);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          listener = {
            send: (frame) => controller.enqueue(encoder.encode(frame)),
            end(error) {
              remove();
              if (error === undefined) controller.close();
              else controller.error(error);
            },
          };
          set.add(listener);
          listener.send('data: ping\n\n');
          for (const { seq, frame } of logs.get(id) ?? []) if (seq > position) listener.send(frame);
          abortSignal?.addEventListener('abort', () => set.has(listener) && listener.end(abortSignal.reason));
        },
        cancel: () => void remove(),
      });
      const headers = {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'last-event-id': String(position),
      };
      return new Response(body, { headers });
    },
    cut(error) {
      for (const listener of [...listeners.values()].flatMap((set) => [...set])) listener.end(error);
    },
  };
}
