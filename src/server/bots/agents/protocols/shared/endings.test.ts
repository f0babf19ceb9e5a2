// Tests how the streams of each protocol end: what is told after a text, and never a word of an error.
import { describe, expect, test } from 'vitest';
import type { AgentEvent, AgentProtocol } from '../../protocol.ts';
import { agUi } from '../ag-ui/ag-ui.ts';
import { aiSdk } from '../ai-sdk.ts';
import { openaiChat } from '../openai-chat.ts';
import { openaiResponses } from '../openai-responses.ts';
import { answerOf, readAll, readStream, streamOf } from '../testing.ts';
import * as told from '../told.testing.ts';

/** The name of an end, its events or the text of their stream, and what is told after the text "Half". */
type Ending = [name: string, events: unknown[] | string, ...expected: AgentEvent[]];

const done = '[DONE]';
const choice = (fields: object, more: object = {}) => ({ choices: [{ index: 0, ...fields }], ...more });
const content = (text: string) => choice({ delta: { content: text } });
const reason = (finish_reason: string) => choice({ delta: {}, finish_reason });
const reasons = (names: string[], expected: AgentEvent): Ending[] =>
  names.map((name) => [`the reason ${name}`, [reason(name), done], expected]);
const tokens = (prompt_tokens: unknown, completion_tokens: unknown) => ({
  usage: { prompt_tokens, completion_tokens },
});
const ofChat: Ending[] = [
  ...reasons(['stop', 'eos'], told.finished),
  ...reasons(['length', 'max_tokens', 'MAX_TOKENS', 'model_length'], told.ended('truncated')),
  ...reasons(['content_filter', 'content-filter', 'SAFETY'], told.failed('content_filter')),
  ...reasons(['error', 'network_error'], told.failed('error')),
  ['a reason without [DONE]', [reason('stop')], told.finished],
  ['the reason null as a text', [reason('null')], told.failed('incomplete')],
  ['no reason', [], told.failed('incomplete')],
  ['[DONE] alone, twice, and a text', [done, done, content('b')], told.finished],
  ['a text after [DONE]', [reason('stop'), done, content('!'), done], told.finished],
  ['an error', [{ error: { message: 'SECRET' } }, reason('stop'), done], told.failed('error')],
  ['an error as a text', [{ error: 'SECRET' }], told.failed('error')],
  ['an event of the type error', 'event: error\ndata: {"message":"SECRET"}\n\n', told.failed('error')],
  [
    'an object of the type error',
    [{ object: 'error', message: 'SECRET', code: 1 }, done],
    told.failed('error'),
  ],
  ['an error in a choice', [choice({ delta: {}, error: { message: 'SECRET' } }), done], told.failed('error')],
  [
    'the end of another choice',
    [choice({ index: 1, delta: { content: 'x' }, finish_reason: 'stop' })],
    told.failed('incomplete'),
  ],
  [
    'usage in the last chunk, without choices',
    [reason('stop'), { choices: [], ...tokens(12, 3) }, done],
    told.usage(12, 3),
    told.finished,
  ],
  [
    'usage in each chunk',
    [choice({ delta: {} }, tokens(1, 1)), choice({ finish_reason: 'stop' }, tokens(1, 9))],
    told.usage(1, 9),
    told.finished,
  ],
  ['usage of wrong values', [reason('stop'), tokens(-1, 'x')], told.usage(0, 0), told.finished],
];

const response = (type: string, fields: object) => ({ type: `response.${type}`, response: fields });
const ofResponses: Ending[] = [
  ['response.completed', [response('completed', { status: 'completed', output: [] })], told.finished],
  [
    'a text that has ended, and [DONE]',
    [{ type: 'response.output_text.done', text: 'Half', output_index: 0 }, done],
    told.finished,
  ],
  ['[DONE] alone', [done], told.failed('incomplete')],
  [
    'a length that was reached',
    [
      response('incomplete', {
        incomplete_details: { reason: 'max_output_tokens' },
        usage: { output_tokens: 5 },
      }),
    ],
    told.usage(0, 5),
    told.ended('truncated'),
  ],
  [
    'a filter',
    [response('incomplete', { incomplete_details: { reason: 'content_filter' } })],
    told.failed('content_filter'),
  ],
  [
    'a failure, and a text after it',
    [
      response('failed', { error: { message: 'SECRET' } }),
      { type: 'response.output_text.delta', output_index: 0, delta: 'x' },
      response('completed', {}),
    ],
    told.failed('agent_error'),
  ],
  ['an error', [{ type: 'error', code: 'SECRET', message: 'SECRET' }], told.failed('agent_error')],
  ['an error before the stream', [{ error: { message: 'SECRET' } }, done], told.failed('agent_error')],
  ['an error as a text', [{ error: 'SECRET' }], told.failed('agent_error')],
  [
    'a response that has failed',
    [{ object: 'response', status: 'failed', error: { code: 'SECRET' }, output: [] }],
    told.failed('agent_error'),
  ],
];

const finish = (finishReason: string | undefined): Ending[1] => [{ type: 'finish', finishReason }];
const ofAiSdk: Ending[] = [
  ...['stop', 'other', 'unknown', 'tool-calls', undefined].map(
    (name): Ending => [`the reason ${name}`, finish(name), told.finished],
  ),
  ['a length that was reached', finish('length'), told.ended('truncated')],
  ['a filter', finish('content-filter'), told.failed('content_filter')],
  ['a filter by another name', finish('content_filter'), told.failed('content_filter')],
  ['a model whose stream broke off (version 7)', finish('interrupted'), told.failed('incomplete')],
  ['a failure that only the reason tells', finish('error'), told.failed('agent_error')],
  ['[DONE] alone', [done], told.finished],
  ['nothing', [], told.failed('incomplete')],
  ['an abort', [{ type: 'abort', reason: 'SECRET' }, done], told.ended('stopped')],
  [
    'an error, and a text after it',
    [{ type: 'error', errorText: 'SECRET' }, { type: 'text-delta', id: 't', delta: 'x' }, ...finish('stop')],
    told.failed('agent_error'),
  ],
  ['an error that is not a stream', [{ error: 'SECRET' }, done], told.failed('agent_error')],
  [
    'usage, where the server tells it',
    [{ type: 'finish', messageMetadata: { usage: { inputTokens: 3, outputTokens: 4 } } }],
    told.usage(3, 4),
    told.finished,
  ],
];

const ended = (fields: object = {}) => ({ type: 'RUN_FINISHED', threadId: 't', runId: 'r', ...fields });
const ofAgUi: Ending[] = [
  ['RUN_FINISHED', [ended()], told.finished],
  ['nothing', [], told.failed('incomplete')],
  ['a run that was stopped', [ended({ outcome: { type: 'cancelled' } })], told.ended('stopped')],
  [
    'a success with the usage of several models',
    [
      ended({
        outcome: { type: 'success' },
        usage: [
          { model: 'a', inputTokens: 3, outputTokens: 4 },
          { model: 'b', inputTokens: 10 },
        ],
      }),
    ],
    told.usage(13, 4),
    told.finished,
  ],
  [
    'an error, and a text after it',
    [
      { type: 'RUN_ERROR', message: 'SECRET', code: 'SECRET', usage: [{ inputTokens: 1, outputTokens: 2 }] },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' },
      ended(),
    ],
    told.usage(1, 2),
    told.failed('agent_error'),
  ],
];

describe.each<[AgentProtocol, unknown[], Ending[]]>([
  [openaiChat, [content('Half')], ofChat],
  [openaiResponses, [{ type: 'response.output_text.delta', output_index: 0, delta: 'Half' }], ofResponses],
  [
    aiSdk,
    [{ type: 'start' }, { type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'Half' }],
    ofAiSdk,
  ],
  [agUi, [{ type: 'RUN_STARTED' }, { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'Half' }], ofAgUi],
])('$name', (protocol, begun, endings) => {
  test('unknown events and data without JSON are passed over', () => {
    const unknown = ['new', 'constructor', '__proto__', 7].map((type) => ({ type, id: 'x', delta: 'x' }));
    const junk = ['{', '[1]', '7', '""', {}, ...unknown, { type: 'text-delta', id: 'unknown', delta: 'x' }];
    const end = endings[0]?.[1] as unknown[];
    const expected = readAll(protocol, [...begun, ...end]);
    expect(readAll(protocol, [...begun, ...junk, ...end])).toEqual(expected);
    expect(expected.at(-1)).toEqual(told.finished);
  });

  test.each(endings)('%s', (_, events, ...expected) => {
    const text = streamOf(begun) + (typeof events === 'string' ? events : streamOf(events));
    for (const size of [1, text.length]) {
      const found = readStream(protocol, text, undefined, size);
      expect(answerOf(found)).toBe('Half');
      expect(found.filter(({ type }) => type !== 'text')).toEqual(expected);
      expect(JSON.stringify(found)).not.toContain('SECRET');
    }
  });
});
