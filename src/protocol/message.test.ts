// Tests the preview of payloads: readable for every type, and safe for any other value of the wire.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientMessageId, type Payload, preview } from './message.ts';
import { fillSlots, type Slot, slotsOf, templates, validValue } from './schemas/payload-slots.testing.ts';

const button = { action: 'say', label: 'Yes', value: 'y' } as const;
const options = [
  { label: 'Red', value: 'r' },
  { label: 'Blue', value: 'b' },
];
const previews: [Payload, string][] = [
  [{ type: 'text', text: 'Hello\nyou' }, 'Hello\nyou'],
  [{ type: 'text', text: 'Yes', value: 'y' }, 'Yes'],
  [{ type: 'markdown', markdown: '**Hi**' }, '**Hi**'],
  [{ type: 'image', imageUrl: 'https://a.test/i.png' }, 'https://a.test/i.png'],
  [{ type: 'image', imageUrl: 'https://a.test/i.png', title: 'A cat' }, 'A cat\nhttps://a.test/i.png'],
  [{ type: 'audio', audioUrl: 'https://a.test/a.mp3', title: 'Song' }, 'Song\nhttps://a.test/a.mp3'],
  [{ type: 'video', videoUrl: 'https://a.test/v.mp4' }, 'https://a.test/v.mp4'],
  [{ type: 'file', fileUrl: 'https://a.test/f.pdf', title: 'Bill' }, 'Bill\nhttps://a.test/f.pdf'],
  [{ type: 'location', latitude: 0, longitude: -1.5 }, '0, -1.5'],
  [{ type: 'location', latitude: 1, longitude: 2, title: 'Home', address: '1 Road' }, 'Home\n1 Road\n1, 2'],
  [
    { type: 'card', title: 'Tea', subtitle: 'green', imageUrl: 'x', actions: [button, button] },
    'Tea\ngreen\nYes · Yes',
  ],
  [{ type: 'card', title: 'Tea', actions: [] }, 'Tea'],
  [
    {
      type: 'carousel',
      items: [
        { type: 'card', title: 'A', actions: [button] },
        { type: 'card', title: 'B', actions: [] },
      ],
    },
    'A\nYes\nB',
  ],
  [{ type: 'choice', text: 'Colour?', options }, 'Colour?\nRed · Blue'],
  [{ type: 'dropdown', text: 'Colour?', options: [] }, 'Colour?'],
  [
    {
      type: 'bloc',
      items: [
        { type: 'text', text: 'one' },
        { type: 'image', imageUrl: 'two' },
      ],
    },
    'one\ntwo',
  ],
];

/** The texts that the preview omits: values for the bot, and the pictures of cards. */
const omitted = /(\.value|\.fileId|(card|items)\.imageUrl)$/;

describe('preview', () => {
  test.each(templates)('of the type $type contains every text and number of its schema', (template) => {
    const slots = slotsOf(template);
    const mark = (slot: Slot) => {
      if (slot.kind === 'number') return 1_000 + slots.indexOf(slot);
      return slot.kind === 'string' ? `<${slot.path}>` : validValue(slot);
    };
    const text = preview(fillSlots(template, mark));
    const readable = slots.filter(({ kind }) => kind === 'string' || kind === 'number');
    const missing = readable.filter((slot) => !text.includes(String(mark(slot)))).map(({ path }) => path);
    expect(missing, 'Add these fields to preview() in src/protocol/message.ts.').toEqual(
      readable.map(({ path }) => path).filter((path) => omitted.test(path)),
    );
  });

  test.each(previews)('%j', (payload, text) => expect(preview(payload)).toBe(text));

  test('bloc items may be nested as {type, payload}', () => {
    const items = [
      { type: 'text', payload: { text: 'in' } },
      { type: 'file', payload: { fileUrl: 'f' } },
    ];
    expect(preview({ type: 'bloc', items })).toBe('in\nf');
  });

  test.each([
    [
      { type: 'custom', url: 'https://a.test/x.js', name: 'Chart', data: { a: 1 } },
      'https://a.test/x.js\nChart',
    ],
    [{ reaction: 'heart' }, 'heart'],
    [{ type: 'constructor', text: 'x' }, 'x'],
    [{ type: '__proto__', text: 'x' }, 'x'],
    [{ type: 5, text: 'x' }, 'x'],
    [{}, ''],
    [[], ''],
    ['words', 'words'],
    [undefined, ''],
    [null, ''],
    [7, ''],
  ])('an unknown shape %j results in %j', (payload, text) => expect(preview(payload)).toBe(text));

  test.each<unknown>([
    { type: 'text' },
    { type: 'text', text: { a: 1 } },
    { type: 'location' },
    { type: 'location', latitude: {}, longitude: [] },
    { type: 'location', latitude: { toString: 1, valueOf: 1 }, longitude: Object.create(null) },
    { type: 'card', title: {}, actions: {} },
    { type: 'carousel', items: [null, 5, 'x', {}, []] },
    { type: 'choice', text: [], options: [{}, { label: {} }, null] },
    { type: 'bloc', items: [{ type: 'bloc' }, { payload: null }, { payload: [] }, null] },
    { type: {} },
  ])('a wrong shape %j results in the empty text instead of [object Object]', (payload) => {
    expect(preview(payload)).toBe('');
  });

  test('any value results in a text without JavaScript artefacts, and never throws', () => {
    const types = templates.map(({ type }) => type);
    const keys = templates.flatMap((template) => Object.keys(template));
    const payloadOf = (value: fc.Arbitrary<unknown>) =>
      fc
        .tuple(
          fc.constantFrom(...types),
          fc.dictionary(fc.constantFrom(...keys, 'payload'), value, { maxKeys: 5 }),
        )
        .map(([type, fields]) => ({ ...fields, type }));
    const value = fc.anything({ withNullPrototype: true, withBigInt: true, maxDepth: 1 });
    const inner = payloadOf(fc.oneof(value, fc.array(value, { maxLength: 3 })));
    const loose = payloadOf(fc.oneof(value, inner, fc.array(inner, { maxLength: 3 })));
    // Strings of fast-check itself count as visitor text; only our own output is checked.
    const isOurs = (value: unknown) => !fc.stringify(value).includes('[object');
    fc.assert(
      fc.property(fc.oneof(fc.anything(), loose), (payload) => {
        const text = preview(payload);
        expect(typeof text).toBe('string');
        if (isOurs(payload)) expect(text).not.toContain('[object');
      }),
    );
  });

  test('nested blocs are read to a limited depth, without a stack overflow', () => {
    const nest = (depth: number): unknown =>
      JSON.parse(
        `${'{"type":"bloc","items":['.repeat(depth)}{"type":"text","text":"x"}${']}'.repeat(depth)}`,
      );
    expect(preview(nest(3))).toBe('x');
    expect(preview(nest(4_000))).toBe('');
  });

  test('a bloc of very many items is read completely', () => {
    const items = Array.from({ length: 200_000 }, () => ({ type: 'text', text: 'a' }));
    expect(preview({ type: 'bloc', items }).length).toBe(399_999);
  });
});

test.each([
  [{ clientMessageId: 'abc' }, 'abc'],
  [{ clientMessageId: 5 }, undefined],
  [{}, undefined],
  [undefined, undefined],
])('the client id in %j is %j', (metadata, id) => {
  expect(clientMessageId(metadata ? { metadata } : {})).toBe(id);
});
