// Tests what the home screen takes from a configuration that the page, or another script of the page, has made wrong.
import { afterEach, expect, test } from 'vitest';
import { readHome } from './read-home.ts';

const base = 'https://site.test/page';
const added = ['title', 'text', 'starters', 'links', 'link'];
const empty = { title: undefined, text: undefined, hasStarters: true, links: [], problems: [] };

/** Adds properties to the prototype of all objects. */
function pollute(properties: Record<string, unknown>) {
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
  }
}
afterEach(() => {
  for (const name of added) delete (Object.prototype as Record<string, unknown>)[name];
});

const throwing = (name: string, rest: object = {}) =>
  Object.defineProperty({ ...rest }, name, {
    get() {
      throw new Error('of the page');
    },
    enumerable: true,
  });

test('the texts and links of the site are shown', () => {
  const home = {
    title: ' Hello ',
    text: 'Words',
    links: [{ title: 'Help', link: '/help' }, { link: 'tel:1' }],
  };
  expect(readHome(home, base)).toEqual({
    ...empty,
    title: 'Hello',
    text: 'Words',
    links: [
      { title: 'Help', href: 'https://site.test/help' },
      { title: 'tel:1', href: 'tel:1' },
    ],
  });
});

test('a link without an address is left out, and long texts are cut', () => {
  const wrong = [
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'https://',
    5,
    undefined,
  ];
  const right = Array.from({ length: 30 }, (_, i) => ({
    title: '<b>'.repeat(50),
    link: `https://d.test/${i}`,
  }));
  const input = { title: '<b>'.repeat(100), text: 'x'.repeat(10_000), starters: false };
  const home = readHome(
    { ...input, links: [...wrong.map((link) => ({ title: 'A', link })), ...right] },
    base,
  );
  expect([home.title?.length, home.text?.length, home.hasStarters]).toEqual([201, 1_001, false]);
  expect(home.links.map(({ title, href }) => [title.length, href])).toEqual(
    [0, 1, 2, 3].map((i) => [101, `https://d.test/${i}`]),
  );
  expect(home.problems).toEqual([expect.stringContaining("'home.links' must be a list of {title, link}")]);
});

test('each part of a wrong type is reported and left out', () => {
  const { problems, ...content } = readHome({ title: {}, text: 5, starters: 'x', links: [] }, base);
  expect({ ...content, problems: [] }).toEqual(empty);
  expect(problems).toEqual([
    "Configuration: 'home.title' must be a text.",
    "Configuration: 'home.text' must be a text.",
    "Configuration: 'home.starters' must be true or false.",
  ]);
});

test.each([true, {}])('what a page adds to all objects is not shown with home: %j', (home) => {
  pollute({
    title: 'added',
    text: 'added',
    starters: false,
    links: [{ title: 'added', link: 'https://other.test' }],
  });
  expect(readHome(home, base)).toEqual(empty);
});

test('a link does not get the address that a page adds to all objects', () => {
  pollute({ link: 'https://other.test' });
  const { links, problems } = readHome({ links: [{ title: 'Help' }] }, base);
  expect(links).toEqual([]);
  expect(problems).toHaveLength(1);
});

test.each(['title', 'text', 'starters', 'links'])('a %s that throws is reported', (name) => {
  const { problems, ...content } = readHome(throwing(name), base);
  expect({ ...content, problems: [] }).toEqual(empty);
  expect(problems).toEqual([expect.stringContaining(`'home.${name}'`)]);
});

test('a link that throws is left out and reported', () => {
  const list = [throwing('link', { title: 'a' }), { title: 'Help', link: '/help' }];
  const { links, problems } = readHome({ links: list }, base);
  expect(links).toEqual([{ title: 'Help', href: 'https://site.test/help' }]);
  expect(problems).toEqual([expect.stringContaining("'home.links'")]);
});

const throwingList = Object.defineProperty([], 0, {
  get() {
    throw new Error('of the page');
  },
});
test.each([
  ['a text', 'text'],
  ['a list that throws', throwingList],
  ['null', null],
])('%s in place of the links is reported', (_, input) => {
  const { links, problems } = readHome({ links: input }, base);
  expect(links).toEqual([]);
  expect(problems).toHaveLength(1);
});
