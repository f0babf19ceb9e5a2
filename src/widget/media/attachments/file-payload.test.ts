// Tests the message of uploaded files: by detected type, alone or with others, and the names of files.
import { expect, test } from 'vitest';
import { filePayload, messageOfFiles, shortenFileName } from './file-payload.ts';

const about = { url: 'https://a.test/f', fileId: 'file_1', title: 'a' };

test.each([
  ['image/png', 'image'],
  ['image/svg+xml', 'file'],
  ['text/html', 'file'],
  ['audio/ogg', 'audio'],
  ['video/mp4', 'video'],
  ['', 'file'],
])('%s is of type %s', (contentType, type) => {
  const payload = filePayload(contentType, about);
  expect(payload).toEqual({ type, [`${type}Url`]: about.url, fileId: 'file_1', title: 'a' });
});

test('one file is its own message; with a text or another file it is a bloc, and without a file nothing', () => {
  const file = filePayload('text/plain', about);
  expect(messageOfFiles([], 'Hello')).toBeUndefined();
  expect(messageOfFiles([file], '  ')).toBe(file);
  expect(messageOfFiles([file, file], '')).toEqual({ type: 'bloc', items: [file, file] });
  expect(messageOfFiles([file], 'Hello')).toEqual({
    type: 'bloc',
    items: [file, { type: 'text', text: 'Hello' }],
  });
});

test('a long name keeps its extension and is never cut within a character', () => {
  const short = shortenFileName(`${'😀'.repeat(400)}.tar.gz`);
  expect(short.endsWith('.gz')).toBe(true);
  // Throws for half of a character.
  expect(decodeURIComponent(encodeURIComponent(short))).toBe(short);
  expect(short.length).toBeLessThan(300);
  expect(shortenFileName('a.txt')).toBe('a.txt');
});
