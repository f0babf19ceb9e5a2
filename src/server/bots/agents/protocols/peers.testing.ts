// Readers of the libraries of the protocols, to compare with those of this server.
import { HttpAgent, type Message } from '@ag-ui/client';
import {
  parseJsonEventStream,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
  uiMessageChunkSchema,
} from 'ai';
import { vi } from 'vitest';
import { streamOf } from './testing.ts';

/** The messages that the client of AG-UI makes of a stream. */
export async function messagesOfAgUi(events: readonly unknown[]): Promise<Message[]> {
  const fetch = async () =>
    new Response(streamOf(events), { headers: { 'content-type': 'text/event-stream' } });
  // It warns of older events.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const agent = new HttpAgent({ url: 'http://agent.test/', threadId: 'conversation_1', fetch });
  const { newMessages } = await agent.runAgent({ runId: 'run_1' });
  vi.restoreAllMocks();
  return newMessages;
}

/** The parts of the message that the AI SDK makes of a stream. */
export async function partsOfAiSdk(body: string): Promise<UIMessage['parts']> {
  const stream = new Blob([body]).stream() as ReadableStream<Uint8Array<ArrayBuffer>>;
  const chunks = parseJsonEventStream({ stream, schema: uiMessageChunkSchema }).pipeThrough(
    new TransformStream({
      transform(part, controller) {
        if (part.success) controller.enqueue(part.value as UIMessageChunk);
      },
    }),
  );
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream: chunks })) last = message;
  return last?.parts ?? [];
}
