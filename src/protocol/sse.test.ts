// Tests the parser of server-sent events against the standard's rules and against a reference parser.
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from './any-text.testing.ts';
import { createSseParser, type Frame } from './sse.ts';

function parse(...pieces: string[]): Frame[] {
  const frames: Frame[] = [];
  const feed = createSseParser((frame) => frames.push(frame));
  for (const piece of pieces) feed(piece);
  return frames;
}
const frame = (data: string, event = 'message', id = ''): Frame => ({ event, data, id });

const fixtures: [name: string, text: string, frames: Frame[]][] = [
  ['a frame', 'event: message\ndata: {"a":1}\n\n', [frame('{"a":1}')]],
  ['no event name', 'data: x\n\n', [frame('x')]],
  ['no space after the colon', 'data:x\n\n', [frame('x')]],
  ['only the first space goes', 'data:  x \n\n', [frame(' x ')]],
  ['CR LF', 'data: x\r\nid: 1\r\n\r\n', [frame('x', 'message', '1')]],
  ['CR', 'data: x\rid: 1\r\r', [frame('x', 'message', '1')]],
  ['mixed line ends', 'data: x\rdata: y\ndata: z\r\n\n', [frame('x\ny\nz')]],
  ['a byte order mark', '\uFEFFdata: x\n\n', [frame('x')]],
  ['only the first byte order mark', '\uFEFF\uFEFFdata: x\n\n', []],
  ['comments', ': hello\n:\n\ndata: x\n: y\n\n', [frame('x')]],
  ['several data lines', 'data: a\ndata\ndata: b\n\n', [frame('a\n\nb')]],
  ['empty data', 'data\n\ndata:\n\n', [frame(''), frame('')]],
  ['a frame without data', 'event: x\n\ndata: y\n\n', [frame('y')]],
  ['a frame with only an id', 'event: x\nid: 7\n\ndata: y\n\n', [frame('', '', '7'), frame('y')]],
  ['an id belongs to its frame', 'id: 1\ndata: a\n\ndata: b\n\n', [frame('a', 'message', '1'), frame('b')]],
  ['an empty id resets', 'id: 1\ndata: a\n\nid\ndata: b\n\n', [frame('a', 'message', '1'), frame('b')]],
  [
    'an id with NUL is ignored',
    'id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n',
    [frame('a', 'message', '1'), frame('b')],
  ],
  ['an event name holds for one frame', 'event: x\ndata: a\n\ndata: b\n\n', [frame('a', 'x'), frame('b')]],
  ['unknown fields', 'retry: 5\nfoo: bar\nbaz\nData: no\n data: no\ndata: x\n\n', [frame('x')]],
  ['a colon in the value', 'data: a: b:c\n\n', [frame('a: b:c')]],
  ['no blank line at the end', 'data: a\n\ndata: lost\n', [frame('a')]],
  ['nothing', '', []],
  ['a proxy first', '{}data: x\n\ndata: y\n\n', [frame('y')]],
  ['other line separators are text', 'data: a\u2028b\u2029c\u0085d\n\n', [frame('a\u2028b\u2029c\u0085d')]],
];

describe('fixtures', () => {
  test.each(fixtures)('%s', (_, text, frames) => expect(parse(text)).toEqual(frames));

  test.each(fixtures)('%s, split in two at every position', (_, text, frames) => {
    for (let at = 0; at <= text.length; at++)
      expect(parse(text.slice(0, at), '', text.slice(at))).toEqual(frames);
  });

  test.each(fixtures)('%s, character by character', (_, text, frames) =>
    expect(parse(...text)).toEqual(frames),
  );
});

test('a CR at the end of a piece ends its line at once', () => {
  const frames: Frame[] = [];
  const feed = createSseParser((frame) => frames.push(frame));
  feed('data: x\r\r');
  expect(frames).toEqual([frame('x')]);
  // The LF of this pair is not another blank line; the next one is.
  feed('\ndata: y\n');
  feed('\n');
  expect(frames).toEqual([frame('x'), frame('y')]);
});

describe('a frame without an end', () => {
  test.each([
    ['one line', 'data: ', 'x'.repeat(10_000)],
    ['many lines', '', `data: ${'x'.repeat(10_000)}\n`],
    ['many lines without a value', '', 'data\n'.repeat(10_000)],
  ])('%s: is refused at the limit', (_, start, piece) => {
    const feed = createSseParser(() => {});
    feed(start);
    expect(() => {
      for (let i = 0; i < 200; i++) feed(piece);
    }).toThrow(RangeError);
  });

  test('the limit is for one frame and not for the stream, and the largest payload fits', () => {
    let count = 0;
    const feed = createSseParser(() => count++);
    for (let i = 0; i < 20; i++) feed(`data: ${'x'.repeat(900_000)}\n\n`);
    expect(count).toBe(20);
  });
});

describe('against eventsource-parser', () => {
  /** The reference returns an id only if the frame has one. */
  const reference = (text: string): Frame[] => {
    const frames: Frame[] = [];
    const parser = createParser({
      onEvent: ({ event = 'message', data, id }) => frames.push({ event, data, id: id ?? '' }),
    });
    parser.feed(text);
    return frames;
  };
  const value = fc.string({ unit: fc.constantFrom('a', ':', ' ', '{', 'é', '😀', '\u2028', '\t') });
  const line = fc.oneof(
    fc
      .tuple(fc.constantFrom('data', 'event', 'foo', ''), fc.constantFrom(':', ': ', ':  '), value)
      .map((x) => x.join('')),
    fc.constantFrom('data', 'event', ':', ': comment'),
  );
  const block = fc
    .tuple(fc.nat(), fc.array(line, { maxLength: 5 }))
    .map(([id, lines]) => [`id: ${id}`, ...lines, '']);
  const stream = fc
    .tuple(fc.array(block, { maxLength: 6 }), fc.infiniteStream(fc.constantFrom('\n', '\r\n', '\r')))
    .map(([blocks, ends]) => {
      let text = '';
      for (const part of blocks.flat()) text += part + (ends.next().value ?? '\n');
      // The reference delays a CR at the very end; a comment after it makes it process the CR.
      return `${text}: end\n`;
    });

  test('any frames result in the same frames, wherever they are split', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat({ max: 300 }), { maxLength: 8 }), (text, positions) => {
        const cuts = [0, ...positions.filter((at) => at < text.length).sort((a, b) => a - b), text.length];
        const pieces = cuts.slice(1).map((at, i) => text.slice(cuts[i], at));
        // The reference does not report frames that contain only an id.
        expect(parse(...pieces).filter(({ event }) => event)).toEqual(reference(text));
      }),
      { numRuns: 500 },
    );
  });

  test('no text throws', () => {
    fc.assert(fc.property(fc.array(anyText()), (pieces) => void parse(...pieces)));
  });
});
