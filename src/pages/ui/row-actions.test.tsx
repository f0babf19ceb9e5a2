// @vitest-environment jsdom
// Tests of the actions of a row: up to two are buttons, more are in a menu.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test } from 'vitest';
import { RowActions } from './RowActions.tsx';

afterEach(() => render(null, document.body));

const chosen: string[] = [];
const itemOf = (label: string) => ({
  label,
  name: `${label} Ada`,
  onChoose: () => {
    chosen.push(label);
  },
});
const draw = (labels: readonly string[], isMenu = false) =>
  act(() =>
    render(<RowActions about="Ada" items={[false, ...labels.map(itemOf)]} isMenu={isMenu} />, document.body),
  );
const namesOf = (selector: string) =>
  [...document.querySelectorAll(selector)].map((element) => element.getAttribute('aria-label'));

test('two actions are buttons, with the row in their names', async () => {
  await draw(['Rename', 'Delete']);
  expect(namesOf('button')).toEqual(['Rename Ada', 'Delete Ada']);
  await act(() => document.querySelectorAll('button')[1]?.click());
  expect(chosen).toEqual(['Delete']);
});

test('three actions are in a menu, as is one in a table whose other rows have three', async () => {
  await draw(['Change', 'Link', 'Remove']);
  expect(namesOf('button:not([role])')).toEqual(['Actions for Ada']);
  expect(namesOf('[role="menu"] [role="menuitem"]')).toEqual(['Change Ada', 'Link Ada', 'Remove Ada']);
  await draw(['Change'], true);
  expect(namesOf('button:not([role])')).toEqual(['Actions for Ada']);
});

test('the first of three actions is a button beside the menu, where it is what most come for', async () => {
  await act(() =>
    render(
      <RowActions about="Ada" isFirstShown items={['Export', 'Sign out', 'Delete'].map(itemOf)} />,
      document.body,
    ),
  );
  expect(namesOf('button:not([role])')).toEqual(['Export Ada', 'Actions for Ada']);
  expect(namesOf('[role="menuitem"]')).toEqual(['Sign out Ada', 'Delete Ada']);
});

test('a row without actions has no button', async () => {
  await draw([], true);
  expect(document.body.textContent).toBe('');
});
