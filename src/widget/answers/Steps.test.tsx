// @vitest-environment jsdom
// Tests the line of the steps of an answer: one line, without a mark of failure, and the failures in words when it is opened.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test } from 'vitest';
import type { Step } from './read-parts.ts';
import { Steps } from './Steps.tsx';

// An element of its own: other tests in this process use the same document.
const frame = document.body.appendChild(document.createElement('div'));
afterEach(() => render(null, frame));

const step = (title: string, state: string) =>
  ({ id: title, type: 'tool', at: 0, toolName: title, title, state }) as Step;

/** Returns the words and the marks of all lines. */
async function linesOf(isOpen: boolean, ...steps: Step[]) {
  const fold = () => ({ isOpen, onToggle() {} });
  await act(() => render(<Steps {...{ steps, fold }} drawing={{}} drawDetails={() => null} />, frame));
  return [...frame.querySelectorAll('.fold-head')].map((line) => [
    line.textContent,
    line.querySelector<HTMLElement>('.mark')?.dataset.state,
  ]);
}
const [found, broken] = [step('Search', 'output-available'), step('Warehouse', 'output-error')];

test('the line of an answer has no mark of failure', async () => {
  expect(await linesOf(false, found, broken)).toEqual([['2 steps', 'stepDone']]);
  expect(await linesOf(false, broken, found)).toEqual([['2 steps', 'stepDone']]);
  expect(await linesOf(false, broken)).toEqual([['1 step', 'stepCancelled']]);
  expect(await linesOf(false, broken, broken)).toEqual([['2 steps', 'stepCancelled']]);
});

test('a failed step is named in words in the opened list', async () => {
  expect(await linesOf(true, found, broken)).toEqual([
    ['2 steps', 'stepDone'],
    ['SearchDone', 'stepDone'],
    ['WarehouseFailed', 'stepFailed'],
  ]);
});

test('a running step, and then one that waits, is the one that the line tells of', async () => {
  const running = step('Reading', 'input-available');
  expect(await linesOf(false, found, running, broken)).toEqual([['ReadingRunning', 'stepRunning']]);
  expect(await linesOf(false, found, step('Paying', 'approval-requested'))).toEqual([
    ['2 steps', 'stepWaiting'],
  ]);
});
