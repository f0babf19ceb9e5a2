// Tests what is read from a source: values of any shape.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SourcePart } from '../../../protocol/parts.ts';
import { readSource } from './read-source.ts';

const read = (fields: object) =>
  readSource({ id: 's', type: 'source', at: 0, ...fields } as unknown as SourcePart);

test('only http and https are links, and a source without a title has that of its host', () => {
  const shown = (title: unknown, url?: unknown) => {
    const source = read({ title, url });
    return [source.title, source.link?.host];
  };
  expect(shown('Page', 'https://example.com:8443/a?b')).toEqual(['Page', 'example.com:8443']);
  expect(shown('Title')).toEqual(['Title', undefined]);
  expect(shown('Bad', 'javascript:alert(1)')).toEqual(['Bad', undefined]);
  expect(shown('File', 'file:///etc/passwd')).toEqual(['File', undefined]);
  expect(shown('Data', ' data:text/html,x')).toEqual(['Data', undefined]);
  expect(shown('', 'http://user:secret@example.org/')).toEqual(['example.org', 'example.org']);
  expect(shown({}, {})).toEqual(['–', undefined]);
});

test('a passage is shown without the space around it, and a page if it is one', () => {
  expect(read({ snippet: ' Thirty days. ', page: 3 })).toMatchObject({ snippet: 'Thirty days.', page: 3 });
  for (const page of [0, -1, 1.5, '3', null, undefined]) expect(read({ page }).page).toBeUndefined();
  expect(read({ snippet: { a: 1 } }).snippet).toBe('');
});

test('a source of any shape can be read', () => {
  fc.assert(
    fc.property(fc.record({ title: fc.anything(), url: fc.anything(), snippet: fc.anything() }), (fields) => {
      expect(typeof read(fields).title).toBe('string');
    }),
  );
});
