// Tests the policy that is made from a configuration: the documented one, each field, and hostile values.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Configuration } from './config.ts';
import { bundledFonts, contentSecurityPolicy } from './csp.ts';

const chatUrl = 'https://chat.example.com/chat/demo';
const sources = (configuration: Configuration) =>
  contentSecurityPolicy({ chatUrl, configuration }).directives;

test('with a nonce and a bundled font it is the policy of docs/concepts/security.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/concepts/security.md'), 'utf8');
  const documented = /```csp\n(.*?)\n```/s.exec(page)?.[1]?.replace(/;\n/g, '; ');
  const { header } = contentSecurityPolicy({
    chatUrl,
    nonce: 'R4nd0m',
    configuration: { fontFamily: 'Inter' },
  });
  expect(header).toBe(documented);
});

test('without a nonce it allows the addresses of the files, each once', () => {
  expect(contentSecurityPolicy({ chatUrl }).directives['script-src']).toEqual(['https://chat.example.com']);
  const elsewhere = { chatUrl, assets: 'https://cdn.example.com/webchat/0.3.0/' };
  expect(contentSecurityPolicy(elsewhere).directives['script-src']).toEqual([
    'https://chat.example.com',
    'https://cdn.example.com',
  ]);
});

test.each<[Configuration, string, string[] | undefined]>([
  [{ botAvatar: 'https://a.test/b.png' }, 'img-src', ['https://chat.example.com', 'https://a.test']],
  [{ fabImage: '/logo.png' }, 'img-src', ['https://chat.example.com', "'self'"]],
  [{ fabImage: '//b.test:8443/x' }, 'img-src', ['https://chat.example.com', 'https://b.test:8443']],
  [{ remoteImages: 'all' }, 'img-src', ['https://chat.example.com', 'https:']],
  [{ remoteImages: 'click', imageOrigins: 'https://c.test' }, 'img-src', ['https://chat.example.com']],
  [
    { remoteImages: 'listed', imageOrigins: 'https://c.test, nonsense https://d.test' },
    'img-src',
    ['https://chat.example.com', 'https://c.test', 'https://d.test'],
  ],
  [{ botAvatar: 'https://' }, 'img-src', ['https://chat.example.com']],
  [{ fontFamily: 'a;b' }, 'font-src', undefined],
  [{}, 'font-src', undefined],
  [{}, 'style-src', undefined],
  [{ fontFamily: 'IBM Plex Sans' }, 'font-src', ['https://chat.example.com']],
  [{ fontFamily: 'Lora' }, 'font-src', ['https://fonts.gstatic.com']],
  [{ fontFamily: 'Lora' }, 'style-src', ['https://fonts.googleapis.com']],
  [{ additionalStylesheetUrl: 'https://e.test/a.css' }, 'style-src', ['https://e.test']],
])('%j: %s', (configuration, directive, expected) => {
  expect(sources(configuration)[directive]).toEqual(expected);
});

test('every source has a reason, and the reasons name the fields', () => {
  const { directives, reasons } = contentSecurityPolicy({
    chatUrl,
    configuration: { botAvatar: 'https://a.test/' },
  });
  expect(reasons).toHaveLength(Object.values(directives).flat().length);
  expect(reasons).toContainEqual({ directive: 'img-src', source: 'https://a.test', reason: 'botAvatar' });
});

test('the bundled fonts are those that the build copies', () => {
  const build = readFileSync(join(import.meta.dirname, '../../../scripts/build.mjs'), 'utf8');
  const copied = /for \(const family of \[(.*?)\]\)/.exec(build)?.[1]?.match(/[\w-]+/g);
  expect(copied?.map((name) => name.replaceAll('-', ' ')).sort()).toEqual([...bundledFonts].sort());
});

test('wrong addresses and nonces are refused, and no value can add a directive', () => {
  expect(() => contentSecurityPolicy({ chatUrl: 'chat' })).toThrow(TypeError);
  expect(() => contentSecurityPolicy({ chatUrl: 'https://a;b"c.test/chat/x' })).toThrow(TypeError);
  for (const nonce of ["x'; script-src *", 'a b', '', 'x;'])
    expect(() => contentSecurityPolicy({ chatUrl, nonce })).toThrow(RangeError);
  const names = Object.keys(sources({ fontFamily: 'Lora', additionalStylesheetUrl: 'https://e.test/' }));
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const configuration = {
        botAvatar: `https://a.test/${a}`,
        fontFamily: b,
        additionalStylesheetUrl: `/${a}`,
      };
      const { header, meta } = contentSecurityPolicy({ chatUrl, configuration });
      for (const directive of header.split('; ')) expect(names).toContain(directive.split(' ')[0]);
      expect(meta.split('"')).toHaveLength(5);
    }),
    {
      examples: [
        ['/"', ''],
        ['/a;script-src', ''],
        ['/a,b', ''],
      ],
    },
  );
});
