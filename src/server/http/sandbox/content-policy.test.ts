// Tests the Content Security Policy of apps: nothing by default, what is declared, and nothing that ends a directive.
import { expect, test } from 'vitest';
import { contentPolicyOf } from './content-policy.ts';

const directivesOf = (policy: unknown) =>
  Object.fromEntries(
    contentPolicyOf(policy)
      .split('; ')
      .map((one) => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)]),
  );
const none = {
  'default-src': "'none'",
  'script-src': "'unsafe-inline'",
  'style-src': "'unsafe-inline'",
  'img-src': 'data: blob:',
  'font-src': 'data:',
  'media-src': 'data: blob:',
  'connect-src': "'none'",
  'frame-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
};

test('without a declaration, and with one of any shape, an app can use nothing but its document', () => {
  for (const policy of [
    undefined,
    null,
    7,
    'x',
    [],
    {},
    { connectDomains: 'https://a.example' },
    { connectDomains: [7, null, {}, ['https://a.example']] },
    { scriptDomains: ['https://a.example'], 'default-src': ['*'] },
  ])
    expect(directivesOf(policy)).toEqual(none);
});

test('declared origins are added to their directives', () => {
  expect(
    directivesOf({
      connectDomains: ['https://api.example', 'wss://live.example:8443'],
      resourceDomains: ['https://*.cdn.example'],
      frameDomains: ['https://player.example'],
      baseUriDomains: ['http://localhost:3000'],
    }),
  ).toEqual({
    ...none,
    'connect-src': 'https://api.example wss://live.example:8443',
    'script-src': "'unsafe-inline' https://*.cdn.example",
    'style-src': "'unsafe-inline' https://*.cdn.example",
    'img-src': 'data: blob: https://*.cdn.example',
    'font-src': 'data: https://*.cdn.example',
    'media-src': 'data: blob: https://*.cdn.example',
    'frame-src': 'https://player.example',
    'base-uri': 'http://localhost:3000',
  });
});

test.each([
  '*',
  'https:',
  'https://*',
  "'unsafe-eval'",
  'data:',
  'https://a.example/path',
  'https://a.example; script-src *',
  'https://a.example, default-src *',
  'https://a.example\r\nset-cookie: a=b',
  'https://a.example https://b.example',
  'https://user@a.example',
  'https://-',
  'javascript://a.example',
  `https://${'a'.repeat(200)}.example`,
])('what is not an origin is left out: %j', (domain) => {
  const { 'connect-src': connect } = directivesOf({ connectDomains: [domain, 'https://ok.example'] });
  expect([`${domain} https://ok.example`, 'https://ok.example']).toContain(connect);
  if (domain !== 'https://-') expect(connect).toBe('https://ok.example');
});

test('a list has at most ten origins, so that the header stays short', () => {
  const many = Array.from({ length: 1_000 }, (_, n) => `https://${'a'.repeat(60)}${n}.example`);
  const policy = contentPolicyOf({ connectDomains: many, resourceDomains: many, frameDomains: many });
  expect(policy.length).toBeLessThan(8_000);
  expect(directivesOf({ connectDomains: many })['connect-src']?.split(' ')).toHaveLength(10);
});
