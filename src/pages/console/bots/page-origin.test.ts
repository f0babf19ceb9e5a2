// Tests of the addresses that people type for the check of a page.
import { expect, test } from 'vitest';
import { originOfPage } from './page-origin.ts';

test.each([
  ['https://www.example.com/contact?x=1', 'https://www.example.com'],
  [' example.com/shop ', 'https://example.com'],
  ['http://example.com:8080', 'http://example.com:8080'],
  ['localhost:5173/a', 'http://localhost:5173'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['Example.COM', 'https://example.com'],
])('%j is at %j', (text, origin) => {
  expect(originOfPage(text)?.origin).toBe(origin);
});

test.each([
  '',
  ' ',
  'my shop',
  'shop',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'ftp://example.com',
  'https://',
])('%j is no page', (text) => {
  expect(originOfPage(text)).toBeUndefined();
});
