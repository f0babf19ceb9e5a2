// @vitest-environment jsdom
// Tests that many messages are rendered in several tasks, the newest first, and each of them once.
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createMessageView } from './main.ts';
import { work } from './parsing/parse.ts';
import { options } from './testing.ts';

let now = 0;

// The task in which the module was loaded counts as spent until a timer ends it, which is a real one.
beforeAll(() => new Promise<void>((resolve) => void setTimeout(resolve)));

beforeEach(() => {
  vi.useFakeTimers();
  // Each message takes longer than a task may.
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 15;
    return now;
  });
  document.body.replaceChildren();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.runAllTimers();
  vi.useRealTimers();
});

const messages = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const host = document.createElement('div');
    document.body.append(host);
    return { host, view: createMessageView(host, options), text: `**message ${i}** ${now}` };
  });
const formatted = () => [...document.querySelectorAll('strong')].map(({ textContent }) => textContent);

test('of the messages that are shown in one task the first are rendered, and then the newest in tasks of their own', () => {
  const before = work.calls;
  const all = messages(6);
  for (const { view, text } of all) view.update(text, false);
  const [first = 0] = [formatted().length];
  expect(first).toBeLessThan(3);
  expect(all.map(({ host }) => host.textContent?.includes('message'))).not.toContain(false);
  const order: string[][] = [];
  while (formatted().length < 6 && order.length < 6) {
    const shown = formatted();
    vi.advanceTimersToNextTimer();
    order.push(formatted().filter((text) => !shown.includes(text)) as string[]);
    expect(order.at(-1)?.length).toBeLessThan(3);
  }
  expect(order[0]).toContain('message 5');
  expect(order.flat()).not.toContain('message 0');
  // Each was parsed once.
  expect(work.calls - before).toBe(6);
});

test('a message that changes while it waits is rendered once, with its last text', () => {
  const all = messages(4);
  for (const { view, text } of all) view.update(text, false);
  const before = work.calls;
  const waiting = all.filter(({ host }) => !host.querySelector('strong'));
  for (const { view, text } of waiting) view.update(`${text} again`, false);
  vi.runAllTimers();
  expect(work.calls - before).toBe(waiting.length);
  for (const { host } of waiting) expect(host.textContent).toMatch(/again$/);
  expect(document.querySelector('.plain')).toBeNull();
});

test('a message that is removed while it waits is not rendered', () => {
  const all = messages(4);
  for (const { view, text } of all) view.update(text, false);
  const before = work.calls;
  for (const { view } of all) view.dispose();
  vi.runAllTimers();
  expect(work.calls).toBe(before);
});

test('a text that streams does not wait', () => {
  const all = messages(4);
  for (const { view, text } of all) view.update(text, false);
  const [{ host, view } = { host: document.body, view: undefined }] = messages(1);
  view?.update('**now', true);
  expect(host.querySelector('strong')?.textContent).toBe('now');
});

test('a text without anything visible is shown as it was written, also after it has changed', () => {
  const [one] = messages(1);
  one?.view.update('[a]: https://a.test', false);
  vi.runAllTimers();
  expect(one?.host.textContent).toBe('[a]: https://a.test');
  one?.view.update('[a]: https://a.test\n\n**and** [a]', false);
  vi.runAllTimers();
  expect(one?.host.querySelector('a')?.href).toBe('https://a.test/');
  expect(one?.host.textContent).not.toContain('https');
});

test('in a hidden page nothing waits, because its timers are slow', () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  for (const { view, text } of messages(6)) view.update(text, false);
  expect(formatted()).toHaveLength(6);
});
