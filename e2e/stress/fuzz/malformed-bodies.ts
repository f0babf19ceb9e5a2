// Malformed and hostile JSON values, members, bodies and framings, independent of any operation.
import { words } from './split-text.ts';

/** Values as JSON text, which replace a value of a body. */
export const malformedValues: readonly string[] = [
  ...words(`
    null true false 0 -0 -1 1.5 1e999 -1e999 1e-999 9007199254740993 99999999999999999999999 0.1e-7 ""
    "x" "0" "null" [] {} [[]] [null] {"":""} "__proto__" "constructor" "toString" "../../etc/passwd"
    "%00" "<script>alert(1)</script>" "javascript:alert(1)" {"__proto__":{"polluted":true}}
    {"constructor":{"prototype":{"polluted":true}}}
    {"toJSON":1,"toString":1,"valueOf":1,"then":1,"length":1} {"type":"text","text":"x"}
    {"type":"__proto__"} {"type":"bloc","items":[{"type":"bloc","items":[]}]}
    {"type":"carousel","items":[null,1,"",[],{}]}
    {"type":"choice","text":"x","options":[{"label":"x"}]} [1,"a",null,{}] {"0":1,"length":3}
    "<<message>>" "<<conversation>>" "<<other>>" "<<user>>" "<<key>>"
  `),
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00x"',
  '"\\ud83d\\ude00"',
  '"\\u202e\\u2066"',
  '"\\r\\n"',
  '"\'; DROP TABLE messages; --"',
  `"${'x'.repeat(300)}"`,
  `"${'x'.repeat(41_000)}"`,
  `"${'x'.repeat(130_000)}"`,
  `"${'x'.repeat(900_000)}"`,
  `"${'\\u0001'.repeat(30_000)}"`,
  `"${'\u00e9'.repeat(60_000)}"`,
  `"${'\\ud83d\\ude00'.repeat(50_000)}"`,
  `"${'\n'.replace('\n', '\\n').repeat(100_000)}"`,
  `${'['.repeat(90)}${']'.repeat(90)}`,
  `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
  `${'{"a":'.repeat(95)}1${'}'.repeat(95)}`,
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  `[${'0,'.repeat(60_000)}0]`,
  `[${'{},'.repeat(40_000)}0]`,
  `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":0`).join()}}`,
  `{"type":"carousel","items":[${'0,'.repeat(400_000)}0]}`,
  `{"type":"choice","text":"x","options":[${'{},'.repeat(300_000)}0]}`,
  `{"type":"bloc","items":[${'{"type":"text","text":"a"},'.repeat(4_000)}0]}`,
];

/** Members as JSON text, added to an object. */
export const malformedMembers: readonly string[] = [
  ...words(`
    "__proto__":{"polluted":true} "__proto__":null "constructor":{"prototype":{"polluted":true}}
    "id":"x" "":0 "type":"text" "userId":"x" "isBot":true "adminKey":"x" "toString":0
    "hasOwnProperty":0 "then":0 "length":-1 "conversationId":"<<conversation>>"
    "conversationId":"x","conversationId":"<<conversation>>" "a.b":0
  `),
  '"\\u0000":0',
  '"\\ud800":0',
  `"${'k'.repeat(5_000)}":0`,
  '"$ref":"#"',
];

/** Changes of a body at the level of bytes. */
export const bodyChanges: Record<string, (body: string) => string> = {
  empty: () => '',
  'cut in half': (body) => body.slice(0, body.length / 2),
  'without its end': (body) => body.slice(0, -1),
  'with more behind it': (body) => `${body}x`,
  twice: (body) => body + body,
  'with a BOM': (body) => `\xef\xbb\xbf${body}`,
  'as UTF-16': (body) => Buffer.from(`\ufeff${body}`, 'utf16le').toString('latin1'),
  'with bytes that are no UTF-8': (body) => body.replace('"', '"\xff\xc0\x80'),
  'with a lone surrogate in bytes': (body) => body.replace('"', '"\xed\xa0\x80'),
  'with a NUL': (body) => body.replace('"', '"\0'),
  'with controls': (body) => body.replaceAll('"', '"\x01\n'),
  'in spaces': (body) => `${' '.repeat(100_000)}${body}${'\n'.repeat(100_000)}`,
  'with a comment': (body) => `/* */${body}`,
  'in single quotes': (body) => body.replaceAll('"', "'"),
  'a list': (body) => `[${body}]`,
  'a text': (body) => JSON.stringify(body),
  null: () => 'null',
  'a number': () => '1e400',
  'too much': (body) => body + ' '.repeat(1_000_001),
  deep: () => `${'['.repeat(100_000)}`,
  'deep and whole': () => `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  compressed: () => '\x1f\x8b\x08\0\0\0\0\0\0\x03\xab\xae\x05\0\x43\xbf\xa6\xa3\x02\0\0\0',
};

/** How a body is framed: the header lines, and the bytes after the head. */
export const framings: Record<string, (body: string) => { lines: string[]; bytes: string; isCut?: boolean }> =
  {
    length: (body) => ({ lines: [`content-length: ${body.length}`], bytes: body }),
    'in chunks': (body) => ({
      lines: ['transfer-encoding: chunked'],
      bytes: `${chunk(body.slice(0, 3))}${chunk(body.slice(3))}0\r\n\r\n`,
    }),
    'in chunks with extensions and a trailer': (body) => ({
      lines: ['transfer-encoding: chunked', 'trailer: x'],
      bytes: `${chunk(body, ';a="b"')}0\r\nx: y\r\n\r\n`,
    }),
    'in chunks without end': (body) => ({
      lines: ['transfer-encoding: chunked'],
      bytes: chunk(body),
      isCut: true,
    }),
    'in chunks of wrong sizes': (body) => ({
      lines: ['transfer-encoding: chunked'],
      bytes: `ffffffffffffffffff\r\n${body}\r\n0\r\n\r\n`,
    }),
    'in chunks of no size': (body) => ({
      lines: ['transfer-encoding: chunked'],
      bytes: `x\r\n${body}\r\n0\r\n\r\n`,
    }),
    'both ways': (body) => ({
      lines: [`content-length: ${body.length}`, 'transfer-encoding: chunked'],
      bytes: `${chunk(body)}0\r\n\r\n`,
    }),
    'with two lengths': (body) => ({
      lines: [`content-length: ${body.length}`, 'content-length: 3'],
      bytes: body,
    }),
    'too short': (body) => ({ lines: [`content-length: ${Math.max(0, body.length - 5)}`], bytes: body }),
    'too long': (body) => ({ lines: [`content-length: ${body.length + 5}`], bytes: body, isCut: true }),
    'without a word': (body) => ({ lines: [], bytes: body }),
  };

const chunk = (body: string, extension = ''): string =>
  body === '' ? '' : `${body.length.toString(16)}${extension}\r\n${body}\r\n`;
