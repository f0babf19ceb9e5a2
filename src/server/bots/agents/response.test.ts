// Tests of streams in the odd forms of real servers, from their bytes to what is read in them.
import { describe, expect, test } from 'vitest';
import type { AgentProtocol } from './protocol.ts';
import { agUi } from './protocols/ag-ui/ag-ui.ts';
import { aiSdk } from './protocols/ai-sdk.ts';
import { openaiChat } from './protocols/openai-chat.ts';
import { openaiResponses } from './protocols/openai-responses.ts';
import { answerOf, callsOf, runOf, streamOf } from './protocols/testing.ts';
import { createBodyReader } from './response.ts';

/** The events in a body that arrives in pieces that end at these bytes. */
function read(protocol: AgentProtocol, text: string, ends: readonly number[] = []) {
  const body = createBodyReader('text/event-stream');
  const reader = protocol.createReader(runOf());
  const bytes = Buffer.from(text);
  const decoder = new TextDecoder();
  const pieces = [0, ...ends].map((start, n) => bytes.subarray(start, ends[n] ?? bytes.length));
  const found = pieces
    .flatMap((piece) => body.read(decoder.decode(piece, { stream: true })))
    .concat(body.end())
    .flatMap((event) => [...reader.read(event)])
    .concat(reader.end());
  const end = found.find(({ type }) => type === 'end' || type === 'failed');
  return { text: answerOf(found), calls: callsOf(found), end: end && { ...end } };
}

const chunk = (delta: unknown, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const finished = { type: 'end', reason: 'finished' };

describe.each<[string, AgentProtocol, unknown[]]>([
  [
    'chat completions',
    openaiChat,
    [chunk({ content: 'Grüße ' }), chunk({ content: '😀' }, 'stop'), '[DONE]'],
  ],
  [
    'AI SDK',
    aiSdk,
    [
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Grüße 😀' },
      { type: 'text-end', id: '1' },
      { type: 'finish' },
      '[DONE]',
    ],
  ],
  [
    'AG-UI',
    agUi,
    [
      { type: 'RUN_STARTED' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'Grüße ' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: '😀' },
      { type: 'RUN_FINISHED' },
    ],
  ],
  [
    'responses',
    openaiResponses,
    [
      { type: 'response.output_text.delta', item_id: 'i', delta: 'Grüße 😀' },
      { type: 'response.done', response: { status: 'completed' } },
    ],
  ],
])('a stream of %s', (_, protocol, events) => {
  const expected = { text: 'Grüße 😀', calls: {}, end: finished };

  test('is the same when it is cut at any byte, with each line end', () => {
    for (const lineEnd of ['\n', '\r\n', '\r']) {
      const text = streamOf(events).replaceAll('\n', lineEnd);
      for (let at = 1; at < Buffer.byteLength(text); at += 1)
        expect([at, read(protocol, text, [at])]).toEqual([at, expected]);
    }
  });

  test('is the same with a mark, comments, blank lines, empty data, ids, and without a last blank line', () => {
    const text = streamOf(events);
    for (const other of [
      `\ufeff${text}`,
      `: hello\n\n${text.replaceAll('data: ', ': comment\ndata: ')}`,
      text.replaceAll('\n\n', '\n\n\n\n'),
      `\n\ndata:\n\n${text}`,
      text.replaceAll('data: ', 'id: 1\nretry: 5\ndata:'),
      text.trimEnd(),
      text.replaceAll('data: ', 'data: data: '),
    ])
      expect(read(protocol, other)).toEqual(expected);
  });
});

test('chat completions: each form of the end is one, also twice, and what follows it does not count', () => {
  for (const end of ['[DONE]', '[done]', '"[DONE]"', ' [DONE] ']) {
    const events = [chunk({ content: 'a' }), end, end, chunk({ content: 'b' })];
    expect([end, read(openaiChat, streamOf(events))]).toEqual([end, { text: 'a', calls: {}, end: finished }]);
  }
});
