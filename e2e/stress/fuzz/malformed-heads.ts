// Malformed and hostile methods, request targets, headers and queries, independent of any operation.
import { words } from './split-text.ts';

/** Header lines from lines of a name and its values, with ` | ` between them. */
const valuesByName = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [name = '', values = ''] = line.trim().split(/: (.*)/);
      return values.split(' | ').map((value) => `${name}: ${value}`);
    });

/** Parts of a request target, which are appended to a segment or replace it. */
export const malformedTargets: readonly string[] = [
  ...words(`
    % %zz %0 %00 %2e%2e/ .. ../ /../../../../etc/passwd ..%2f..%2f %252e%252e/ /./ / %2f %5c ;x=1 ? #
    &a * :id {id} %ff %ed%a0%80 %f0%9f%98%80 %c0%ae%c0%ae/ <script> " ^ | [ ] me listen get-or-create
    __proto__ constructor toString %u0041 @ http://example.com/
  `),
  '//',
  '\\',
  '\\..\\',
  '\xf0\x9f\x98\x80',
  '\xff',
  '\xed\xa0\x80',
  '\0',
  '\t',
  ' ',
  '\r',
  "'",
  '`',
  '\u00e9',
  '//example.com/',
  'x'.repeat(7_000),
  '%41'.repeat(3_000),
  '/a'.repeat(4_000),
  'x'.repeat(40_000),
  '../'.repeat(2_000),
  '?a=1'.repeat(2_000),
  `?${'a=1&'.repeat(3_000)}`,
];

export const malformedMethods: readonly string[] = [
  ...words(`
    GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT TRACK PROPFIND SEARCH PURGE M-SEARCH QUERY
    LINK get Post delete FOO __proto__
  `),
  '',
  ' ',
  'G ET',
  'GET\0',
  'X'.repeat(5_000),
  '\xff',
];

export const malformedVersions: readonly string[] = [
  ...words(`
    HTTP/1.0 HTTP/0.9 HTTP/1.2 HTTP/2.0 HTTP/9.9 http/1.1 HTTPS/1.1 RTSP/1.0
  `),
  'HTTP/1.1 x',
  '',
];

const texts = [
  ...words(`
    x 0 -1 " * %00 ../.. 1e9 []
  `),
  '',
  ' ',
  '\xff\xfe',
  'a, b',
  '\t',
  'x'.repeat(5_000),
  '\u00e9',
];
const named = words(`
  accept accept-encoding authorization content-encoding content-type cookie expect host idempotency-key
  if-match if-modified-since if-none-match if-range last-event-id origin range te trailer tus-resumable
  upgrade upload-length upload-offset user-agent via x-forwarded-for x-forwarded-host x-forwarded-proto
  x-http-method-override x-user-key x-workspace-id access-control-request-headers
`);

/** Header lines, added to the existing ones. */
export const malformedHeaders: readonly string[] = [
  ...valuesByName(`
    content-length: 0 | -1 | +5 | 5, 5 | 0x10 | 1 | 99999999999999999999 | 1000000000
    transfer-encoding: chunked | Chunked | chunked, identity | gzip | identity
    content-type: application/json; charset=utf-16 | application/json; charset= | APPLICATION/JSON | text/plain | multipart/form-data; boundary=x | application/x-www-form-urlencoded | application/json, application/json | ; | application/offset+octet-stream
    content-encoding: gzip | identity
    host: a b | [::1 | example.com:99999 | a"><script> | %41 | a@b | a/b
    x-forwarded-host: a"><script>
    x-forwarded-proto: javascript
    expect: 100-continue | 200-ok
    connection: keep-alive | x-user-key, content-length | upgrade
    keep-alive: timeout=999999
    range: bytes=0- | bytes=-0 | bytes=9-1 | bytes=99999999999999999999-
    last-event-id: 0 | 1 | 999999999999999 | 99999999999999999999
    idempotency-key: 0123456789abcdef | 0123456789abcdef
    upload-offset: 999999999999999 | 5
    origin: null | https://evil.example
    accept-encoding: br;q=0, gzip;q=0, *;q=0
    x-user-key: a.b.c | eyJhbGciOiJub25lIn0.eyJpZCI6ImEifQ. | ..
    authorization: Bearer  x | Basic eDp5
    constructor: x
  `),
  ...named.flatMap((name) => texts.map((value) => `${name}: ${value}`)),
  'content-length: ',
  'content-length:3 ',
  'transfer-encoding : chunked',
  'transfer-encoding:\x0bchunked',
  'transfer-encoding: chunked\r\ntransfer-encoding: chunked',
  'host: ',
  'host: \xe4.example',
  'host: a\\b',
  // They have the characters of a name, but a URL cannot contain them.
  ...['1.2.3.4.5', '999.1.1.1', 'xn--a', 'a.0x100000000', 'a:99999'].flatMap((host) => [
    `host: ${host}`,
    `x-forwarded-host: ${host}`,
  ]),
  'upgrade: websocket\r\nconnection: upgrade',
  'upgrade: h2c\r\nconnection: upgrade, http2-settings',
  `range: bytes=${'0-1,'.repeat(1_000)}0-1`,
  `accept-encoding: ${'a,'.repeat(4_000)}br`,
  `if-none-match: ${'"a",'.repeat(3_000)}*`,
  '__proto__: x',
  'folded: a\r\n b',
  'folded: a\r\n\tb',
  'nul: a\0b',
  'bare: a\nb: c',
  'return: a\rb',
  ': empty',
  'no colon',
  'space : x',
  ' leading: x',
  'non-ascii-\xff: x',
  `long: ${'y'.repeat(20_000)}`,
  `${'z'.repeat(20_000)}: x`,
  Array.from({ length: 300 }, (_, n) => `many-${n}: x`).join('\r\n'),
  Array.from({ length: 2_500 }, () => 'a: ').join('\r\n'),
];

/** Query strings. The page tokens have the right form and an invalid key. */
export const malformedQueries: readonly string[] = [
  ...words(`
    nextToken nextToken= nextToken=% nextToken=%00 nextToken=x nextToken=e30 nextToken=bnVsbA
    nextToken=a&nextToken=b nexttoken=x nextToken[]=x __proto__=1 constructor=1 a=%ff%fe a=%ed%a0%80
    &&& = =x ?
  `),
  '',
  ...[
    '["messages",-1]',
    '["messages",1e999]',
    '["messages",9007199254740993]',
    '["conversations",""]',
    '["conversations","\\u0000"]',
    '["participants",{}]',
    '["bots",null]',
    '["bots","\\ud800"]',
    '[',
    '[[]]',
    '{"1":"x"}',
  ].map((text) => `nextToken=${Buffer.from(text).toString('base64url')}`),
  `nextToken=${'x'.repeat(6_000)}`,
];
