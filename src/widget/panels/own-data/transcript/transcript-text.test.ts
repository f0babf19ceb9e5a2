// Tests the conversation as text: author, time, and every payload as text.
import { expect, test } from 'vitest';
import en from '../../../../locales/en.json' with { type: 'json' };
import type { Message, Payload } from '../../../../protocol/message.ts';
import { addStrings } from '../../../i18n/current.ts';
import { toText } from './transcript-text.ts';

// The extras need the strings of the chat, which is always loaded first.
addStrings(en.widget.chat);

const message = (userId: string, payload: unknown): Message => ({
  id: 'm',
  createdAt: '2025-06-01T09:30:59.000Z',
  payload: payload as Payload,
  userId,
  conversationId: 'c',
});

test('each message has its time, its author, and its text', () => {
  const text = toText(
    [
      message('bot', { type: 'text', text: 'Hello\nthere' }),
      message('me', { type: 'text', text: 'Hi' }),
      message('bot', { type: 'image', imageUrl: 'https://a.test/x.png', title: 'A cat' }),
      message('bot', { type: 'choice', text: 'Which?', options: [{ label: 'One', value: '1' }] }),
    ],
    'me',
    () => 'Ada',
  );
  expect(text).toBe(
    [
      '[2025-06-01 09:30 UTC] Ada:\nHello\nthere\n',
      '[2025-06-01 09:30 UTC] You:\nHi\n',
      '[2025-06-01 09:30 UTC] Ada:\nA cat\nhttps://a.test/x.png\n',
      '[2025-06-01 09:30 UTC] Ada:\nWhich?\nOne\n',
    ].join('\n'),
  );
});

test('each other author has the own name', () => {
  const messages = [
    message('bot', { type: 'text', text: 'Hello' }),
    message('ada', { type: 'text', text: 'Hi' }),
  ];
  const nameOf = ({ userId }: Message) => (userId === 'ada' ? 'Ada' : 'Bot');
  expect(toText(messages, 'me', nameOf)).toBe(
    '[2025-06-01 09:30 UTC] Bot:\nHello\n\n[2025-06-01 09:30 UTC] Ada:\nHi\n',
  );
});

test('Markdown is a text without its marks, also after a file', () => {
  const markdown = '**See** [it](https://a.test)';
  const items = [
    { type: 'file', fileUrl: 'https://a.test/f', title: 'F' },
    { type: 'markdown', markdown },
  ];
  const messages = [message('ada', { type: 'markdown', markdown }), message('ada', { type: 'bloc', items })];
  expect(toText(messages, 'me', () => 'Ada')).toBe(
    '[2025-06-01 09:30 UTC] Ada:\nSee it (https://a.test)\n\n' +
      '[2025-06-01 09:30 UTC] Ada:\nF\nhttps://a.test/f\nSee it (https://a.test)\n',
  );
});

test('no messages result in the empty text', () => expect(toText([], 'me', () => 'Bot')).toBe(''));

test('blocks are told by the page, or stand with the text of the bot, once', () => {
  const block = (id: string) =>
    ({ id, type: 'block', at: 0, name: 'order', data: { id }, fallback: `Order ${id}` }) as const;
  const messages: Message[] = [
    { ...message('bot', { type: 'markdown', markdown: 'Look:' }), parts: [block('a')] },
    { ...message('bot', { type: 'text', text: 'Order b' }), parts: [block('b')] },
    { ...message('bot', { type: 'text', text: 'Hi' }), parts: [null, 3] as never },
  ];
  const texts = (...rest: [Parameters<typeof toText>[3]?]) =>
    toText(messages, 'me', () => 'Ada', ...rest)
      .split(/\n*\[2025-06-01 09:30 UTC\] Ada:\n/)
      .map((text) => text.trim());
  expect(texts()).toEqual(['', 'Look:\n\nOrder a', 'Order b', 'Hi']);
  const describe = ({ data }: { data: unknown }) => `It is ${(data as { id: string }).id}`;
  expect(texts({ draw: () => null, describe })).toEqual(['', 'Look:\n\nIt is a', 'It is b', 'Hi']);
});
