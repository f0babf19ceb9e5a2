// @vitest-environment jsdom
// Tests that the composer keeps its size while a button of the mouse is down, so that what is pressed outside gets its click.
import { render } from 'preact';
import { useRef } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useRoot } from '../drawing.testing.ts';
import { useFocusWithin } from './focus-within.ts';

const root = useRoot();
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function Form() {
  const form = useRef<HTMLFormElement>(null);
  const isWithin = useFocusWithin(form);
  return (
    <>
      <form ref={form} data-open={isWithin}>
        <input />
      </form>
      <button type="button" />
    </>
  );
}

async function draw() {
  await act(() => render(<Form />, root()));
  const find = (selector: string) => root().querySelector<HTMLElement>(selector);
  return {
    isOpen: () => find('form')?.dataset.open,
    focus: (selector: string) =>
      act(() => {
        find(selector)?.focus();
        vi.runAllTimers();
      }),
    press: (type: string) =>
      act(() => {
        find('button')?.dispatchEvent(new Event(type, { bubbles: true }));
        vi.runAllTimers();
      }),
  };
}

test('the focus is in it from the first to the last element that has it', async () => {
  const { isOpen, focus } = await draw();
  expect(isOpen()).toBe('false');
  await focus('input');
  expect(isOpen()).toBe('true');
  await focus('button');
  expect(isOpen()).toBe('false');
});

test('a press outside ends it after the button is up', async () => {
  const { isOpen, focus, press } = await draw();
  await focus('input');
  await press('pointerdown');
  await focus('button');
  expect(isOpen()).toBe('true');
  await press('pointerup');
  expect(isOpen()).toBe('false');
});
