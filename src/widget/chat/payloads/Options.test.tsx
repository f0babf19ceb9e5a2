// @vitest-environment jsdom
// Tests that only the chosen option of an answered question is left, and that a focus in options that vanish stays in the window.
import { render } from 'preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Options } from './Options.tsx';

// An element of its own: other tests in this process use the same document.
const frame = document.body.appendChild(document.createElement('div'));
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
});
afterEach(() => {
  render(null, frame);
  vi.unstubAllGlobals();
});

const options = ['Red', 'Blue', 'Blue'].map((label) => ({ label, value: label.toLowerCase() }));
const onAnswer = vi.fn();

/** Draws a question and a composer. `chosen: null`: it can no longer be answered, so the message draws no options. */
function draw(chosen?: string | null) {
  render(
    <div>
      <div class="row" data-key="a">
        {chosen !== null && (
          <Options
            type="choice"
            frame={frame}
            rowKey="a"
            label="Which color?"
            options={options}
            chosen={chosen}
            onAnswer={onAnswer}
          />
        )}
      </div>
      <textarea class="box-input" />
    </div>,
    frame,
  );
}

const buttons = () => [...frame.querySelectorAll('button')];
const composer = () => frame.querySelector('textarea');

test('an open question has all its options, which send', () => {
  draw();
  expect(buttons().map((button) => [button.textContent, button.getAttribute('aria-pressed')])).toEqual([
    ['Red', null],
    ['Blue', null],
    ['Blue', null],
  ]);
  buttons()[1]?.click();
  expect(onAnswer).toHaveBeenCalledWith('Blue', 'blue');
});

test('of an answered question only the chosen option is left, as a pressed button that sends nothing', () => {
  draw();
  const [, blue] = buttons();
  onAnswer.mockClear();
  draw('blue');
  expect(buttons()).toEqual([blue]);
  expect(blue?.getAttribute('aria-pressed')).toBe('true');
  expect(frame.querySelector('fieldset')?.getAttribute('aria-label')).toBe('Which color?');
  expect(frame.querySelectorAll('button .icon').length).toBe(1);
  blue?.click();
  expect(onAnswer).not.toHaveBeenCalled();
});

test('an answer that is none of the options leaves none', () => {
  draw('green');
  expect(frame.querySelector('[part="options"]')).toBeNull();
});

test.each([
  ['another option was chosen elsewhere', 'red'],
  ['the question can no longer be answered', null],
])('a focused option gives its focus to the composer when %s', (_, chosen) => {
  draw();
  buttons()[1]?.focus();
  draw(chosen);
  expect(document.activeElement).toBe(composer());
});

test('a focus elsewhere stays where it is when options vanish', () => {
  draw();
  const outside = document.body.appendChild(document.createElement('input'));
  outside.focus();
  draw('red');
  draw(null);
  expect(document.activeElement).toBe(outside);
  outside.remove();
});
