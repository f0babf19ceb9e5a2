// Tests the page's overlay: what it covers, what a blank gives back, and that one fault is told once.
import { expect, test, vi } from 'vitest';
import { createConfig } from './config.ts';

function create() {
  const onProblem = vi.fn();
  const config = createConfig(onProblem);
  return { config, onProblem, told: () => onProblem.mock.calls.map(([{ field }]) => field) };
}

test('defaults, below the dashboard, below the page', () => {
  const { config, onProblem } = create();
  expect(config.current.botName).toBe('Bot');
  config.dashboard({ botName: 'Dashboard', color: '#111111' });
  config.overlay({ botName: 'Page' });
  expect(config.current).toMatchObject({ botName: 'Page', color: '#111111', radius: 4 });
  expect(onProblem).not.toHaveBeenCalled();
});

test('the page stays on top of a dashboard that comes later', () => {
  const { config } = create();
  config.overlay({ botName: 'Page' });
  config.dashboard({ botName: 'Dashboard', botDescription: 'd' });
  expect(config.current).toMatchObject({ botName: 'Page', botDescription: 'd' });
});

test('each call adds to the last: a field left out stays as the page had it', () => {
  const { config } = create();
  config.overlay({ botName: 'Page' });
  config.overlay({ color: '#222222' });
  expect(config.current).toMatchObject({ botName: 'Page', color: '#222222' });
});

test.each(['', null, undefined])('a blank one (%j) falls back to the dashboard', (blank) => {
  const { config, onProblem } = create();
  config.dashboard({ botName: 'Dashboard' });
  config.overlay({ botName: 'Page', color: '#222222' });
  config.overlay({ botName: blank });
  expect(config.current).toMatchObject({ botName: 'Dashboard', color: '#222222' });
  expect(onProblem).not.toHaveBeenCalled();
});

test('a wrong one falls back to the dashboard too, and is told', () => {
  const { config, told } = create();
  config.dashboard({ themeMode: 'dark' });
  config.overlay({ themeMode: 'light' });
  config.overlay({ themeMode: 'pink', nonsense: 1 });
  expect(config.current.themeMode).toBe('dark');
  expect(told()).toEqual(['themeMode', 'nonsense']);
});

test('the same fault is told once, wherever and however often it comes', () => {
  const { config, told } = create();
  config.dashboard({ color: 'red' });
  for (const color of ['red', 'blue']) config.overlay({ color });
  config.overlay({ colour: '#fff' });
  config.overlay({ colour: '#fff' });
  expect(told()).toEqual(['color', 'colour']);
});

test("footer: '' removes it; another blank brings the dashboard's back", () => {
  const { config } = create();
  config.dashboard({ footer: 'ours' });
  config.overlay({ footer: '' });
  expect(config.current.footer).toBe('');
  config.overlay({ footer: undefined });
  expect(config.current.footer).toBe('ours');
});

test('a new dashboard replaces the old one whole', () => {
  const { config } = create();
  config.dashboard({ botName: 'A', botDescription: 'a' });
  config.dashboard({ botName: 'B' });
  expect(config.current.botName).toBe('B');
  expect(config.current).not.toHaveProperty('botDescription');
});

test.each([undefined, null, 'text', 5])('%j changes nothing', (fields) => {
  const { config, onProblem } = create();
  config.overlay({ botName: 'Page' });
  config.overlay(fields);
  expect(config.current.botName).toBe('Page');
  expect(onProblem).not.toHaveBeenCalled();
});

test('what was read is the caller’s no more: changing the object changes nothing', () => {
  const { config } = create();
  const fields = { botName: 'Page' };
  config.overlay(fields);
  fields.botName = 'Changed';
  expect(config.current.botName).toBe('Page');
});
