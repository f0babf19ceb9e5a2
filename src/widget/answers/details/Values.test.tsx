// @vitest-environment jsdom
// Tests how values are drawn: nested ones with labels, hostile ones as text, huge ones in portions, and their JSON on demand.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test } from 'vitest';
import '../interrupts/strings.ts';
import { Values } from './Values.tsx';

// An element of its own: other tests in this process use the same document.
const frame = document.body.appendChild(document.createElement('div'));
afterEach(() => render(null, frame));

const draw = (value: unknown) => act(() => render(<Values value={value} />, frame));
const all = (selector: string) => [...frame.querySelectorAll<HTMLElement>(selector)];
const texts = (selector: string) => all(selector).map(({ textContent }) => textContent);
const more = () => all('button').at(-1);

test('an object is labels and values, and what is in it too', async () => {
  await draw({
    orderId: 1234567,
    isPaid: true,
    tags: ['new', 'gift'],
    shipTo: { zipCode: 3011, city: 'Bern' },
    items: [{ name: 'Helmet', price: 11.9 }],
    note: null,
    none: [],
  });
  const list = all('dl.values')[0] as HTMLElement;
  const top = [...list.children].map((row) => row.querySelector('dt')?.textContent);
  expect(top).toEqual(['Order ID', 'Is paid', 'Tags', 'Ship to', 'Items', 'Note', 'None']);
  const values = [...list.children].map((row) => row.querySelector('dd')?.textContent);
  expect(values).toEqual([
    '1234567',
    'Yes',
    'new\ngift',
    'Zip code3011CityBern',
    '1NameHelmetPrice11.9',
    '–',
    '–',
  ]);
});

test('names and values are text, whatever is in them', async () => {
  const evil = '<img src=x onerror="window.evil=1">';
  await draw(
    JSON.parse(
      `{ "__proto__": ${JSON.stringify(evil)}, ${JSON.stringify(evil)}: [${JSON.stringify(evil)}] }`,
    ),
  );
  expect(all('img')).toEqual([]);
  expect(texts('dt')).toEqual(['Proto', evil]);
  expect(texts('dd')).toEqual([evil, evil]);
});

test('the JSON is written when it is wanted', async () => {
  const value = { orderId: 'A-1', amount: 49.9 };
  await draw(value);
  expect(all('pre')).toEqual([]);
  const details = frame.querySelector('details') as HTMLDetailsElement;
  expect(details.querySelector('summary')?.textContent).toBe('JSON');
  await act(() => {
    details.open = true;
    details.dispatchEvent(new Event('toggle'));
  });
  expect(frame.querySelector('[role="group"]')?.getAttribute('aria-label')).toBe('JSON');
  expect(texts('pre')).toEqual([JSON.stringify(value, null, 2)]);
});

test('a text alone has no JSON', async () => {
  await draw('Found');
  expect(frame.textContent).toBe('Found');
  expect(all('details')).toEqual([]);
});

test('all of a long text is one press away, and gets the focus', async () => {
  const text = 'word '.repeat(100);
  await draw({ text });
  expect(texts('dd')).toEqual([`${text.slice(0, 200)}… Show more`]);
  await act(() => more()?.click());
  expect(texts('dd')).toEqual([text]);
  expect(document.activeElement?.textContent).toBe(text);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Text');
});

test('many entries are drawn in portions, and the focus is not lost', async () => {
  await draw(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, index])));
  expect(all('dt')).toHaveLength(20);
  await act(() => more()?.click());
  expect(all('dt')).toHaveLength(400);
  expect(document.activeElement?.matches('dl')).toBe(true);
});

test('what is nested too deeply is JSON', async () => {
  let value: unknown = 'deep';
  for (let depth = 0; depth < 2_000; depth++) value = { a: value };
  await draw(value);
  expect(all('dl').length).toBeLessThan(10);
  expect(frame.textContent).toContain('{"a":');
});
