// @vitest-environment jsdom
// Tests the event `analytics`: what is counted, and that nothing of a conversation is ever in it.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { platformError } from '../../../protocol/error.ts';
import type { AnalyticsEvent, AnyPlatformEvent } from '../../../protocol/page-api/page-api.ts';
import { count } from './analytics.ts';

let events: AnalyticsEvent[] = [];
let handler: (event: AnalyticsEvent) => void;
beforeEach(() => {
  events = [];
  handler = (event) => void events.push(event);
});
afterEach(() => vi.restoreAllMocks());

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const message = (fields: object) =>
  ({
    type: 'message',
    payload: {
      id: 'msg_1',
      userId: 'user_1',
      conversationId: 'conv_1',
      createdAt: at(0),
      payload: { type: 'text', text: 'hello' },
      ...fields,
    },
  }) as unknown as AnyPlatformEvent;
const own = { isBot: false, metadata: { clientMessageId: 'c1' } };

describe('what is counted', () => {
  test.each<[AnyPlatformEvent['type'], AnalyticsEvent['name']]>([
    ['webchat:initialized', 'loaded'],
    ['webchat:opened', 'opened'],
    ['webchat:closed', 'closed'],
    ['conversation', 'conversation_started'],
  ])('%s is %s', (type, name) => {
    count(handler, { type, payload: 'conv_1' } as AnyPlatformEvent);
    expect(events).toEqual([{ name }]);
  });

  test.each<AnyPlatformEvent>([
    { type: 'webchat:ready', payload: undefined },
    { type: 'unread', payload: 3 },
    { type: 'customEvent', payload: { text: 'secret' } },
    { type: 'feedback', payload: { messageId: 'msg_1' } },
  ])('$type is not counted', (event) => {
    count(handler, event);
    expect(events).toEqual([]);
  });

  test('a message of the visitor, of a button, and with a file', () => {
    count(handler, message(own));
    count(handler, message({ ...own, payload: { type: 'text', text: 'Yes', value: 'yes' } }));
    count(
      handler,
      message({ ...own, payload: { type: 'image', imageUrl: 'https://a.example/cv-of-ada.png' } }),
    );
    expect(events).toEqual([
      { name: 'message_sent', type: 'text' },
      { name: 'message_sent', type: 'text' },
      { name: 'button_clicked' },
      { name: 'message_sent', type: 'image' },
      { name: 'file_sent', type: 'image' },
    ]);
  });

  test('the first answer has the time since the question, and the next one has none', () => {
    count(handler, message({ isBot: true, createdAt: at(0) }));
    count(handler, message({ ...own, createdAt: at(1) }));
    count(handler, message({ isBot: true, createdAt: at(4) }));
    count(handler, message({ isBot: true, createdAt: at(9) }));
    // A clock that goes backwards gives no number.
    count(handler, message({ ...own, createdAt: at(9) }));
    count(handler, message({ isBot: true, createdAt: at(8) }));
    expect(events.map(({ replyMs }) => replyMs)).toEqual([
      undefined,
      undefined,
      3_000,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('a message of a person who has joined is received, and a hidden tab does not count what another one sent', () => {
    count(handler, message({ isBot: false }));
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    count(handler, message(own));
    expect(events).toEqual([{ name: 'message_received', type: 'text' }]);
  });

  test('an error is counted by its code', () => {
    count(handler, { type: 'error', payload: platformError('network', 'secret') });
    expect(events).toEqual([{ name: 'error', code: 'network' }]);
  });

  test('feedback is counted by its value', () => {
    count(handler, { type: 'feedback', payload: { messageId: 'msg_1', value: 'negative' } });
    expect(events).toEqual([{ name: 'feedback_given', value: 'negative' }]);
  });

  test('a handler that throws is reported and stops nothing', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const error = new Error('of the page');
    handler = () => {
      throw error;
    };
    count(handler, { type: 'webchat:opened', payload: undefined });
    expect(log).toHaveBeenCalledWith(error);
  });
});

describe('what is never in an event', () => {
  /** Every text that an event may contain. */
  const vocabulary = new Set(
    (
      'loaded opened closed conversation_started message_sent message_received button_clicked file_sent error ' +
      'text markdown image audio video file location card carousel choice dropdown bloc other network'
    ).split(' '),
  );
  const knownTypes = ['text', 'markdown', 'image', 'audio', 'video', 'file', 'card', 'choice', 'bloc'];
  const payload = fc.oneof(
    fc.record(
      {
        type: fc.oneof(
          fc.constantFrom(...knownTypes),
          fc.string(),
          fc.constantFrom('__proto__', 'constructor'),
        ),
        text: fc.string(),
        value: fc.string(),
        title: fc.string(),
        fileUrl: fc.webUrl(),
        imageUrl: fc.webUrl(),
        items: fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
      },
      { requiredKeys: [] },
    ),
    fc.dictionary(fc.string(), fc.jsonValue()),
  );
  const anyEvent = fc.oneof(
    fc.record({
      type: fc.constant('message'),
      payload: fc.record({
        id: fc.string(),
        userId: fc.emailAddress(),
        conversationId: fc.uuid(),
        createdAt: fc.oneof(fc.constantFrom(at(0), at(5)), fc.string()),
        isBot: fc.oneof(fc.boolean(), fc.jsonValue()),
        metadata: fc.oneof(
          fc.dictionary(fc.string(), fc.jsonValue()),
          fc.record({ clientMessageId: fc.uuid() }),
        ),
        payload,
      }),
    }),
    fc.record({ type: fc.constantFrom('customEvent', 'conversation', 'unread'), payload: fc.jsonValue() }),
    fc.record({
      type: fc.constant('error'),
      payload: fc.string().map((text) => platformError('network', text, new Error(text))),
    }),
    fc.record({ type: fc.string(), payload: fc.jsonValue() }),
  );

  test('no text, name of a file, address or id of a conversation, whatever its messages contain', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (list) => {
        events = [];
        for (const event of list) count(handler, event as unknown as AnyPlatformEvent);
        for (const event of events) {
          for (const [field, value] of Object.entries(event)) {
            expect(['name', 'type', 'code', 'replyMs']).toContain(field);
            expect(typeof value === 'number' || vocabulary.has(value), `${field}: ${value}`).toBe(true);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
