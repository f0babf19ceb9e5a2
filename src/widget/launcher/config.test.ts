// Tests the layers of the configuration: precedence, blank values, and that each problem is reported once.
import { expect, test, vi } from 'vitest';
import { chatFields, launcherFields, type ResolvedConfiguration } from '../../protocol/page-api/config.ts';
import { createConfig } from './config.ts';

/** Both parts of the table, as launcher and chat request them. */
function create(attributes: Record<string, string> = {}) {
  const onInvalid = vi.fn();
  const created = createConfig(attributes, onInvalid);
  const config = {
    ...created,
    get current(): ResolvedConfiguration {
      return { ...created.resolve(launcherFields), ...created.resolve(chatFields) };
    },
  };
  return { config, onInvalid, reported: () => onInvalid.mock.calls.map(([field]) => field) };
}

test('the page overrides the dashboard, which overrides the defaults', () => {
  const { config, onInvalid } = create();
  expect(config.current.botName).toBe('Bot');
  config.dashboard({ botName: 'Dashboard', color: '#111111' });
  config.overlay({ botName: 'Page' });
  expect(config.current).toMatchObject({ botName: 'Page', color: '#111111', radius: 4 });
  expect(onInvalid).not.toHaveBeenCalled();
});

test('texts of the page replace the attributes, and are read again after each change', () => {
  const { config } = create({ botName: 'Tag', color: '#111111' });
  const texts: Record<string, string | undefined> = { botName: 'Text' };
  config.overlay({ radius: 2 }, texts);
  expect(config.current).toMatchObject({ botName: 'Text', radius: 2 });
  expect(config.current.color).not.toBe('#111111');
  texts.color = '#222222';
  config.overlay(undefined);
  expect(config.current).toMatchObject({ botName: 'Text', color: '#222222' });
});

test('the page keeps precedence over a dashboard that arrives later', () => {
  const { config } = create();
  config.overlay({ botName: 'Page' });
  config.dashboard({ botName: 'Dashboard', botDescription: 'd' });
  expect(config.current).toMatchObject({ botName: 'Page', botDescription: 'd' });
});

test('each call adds to the last: an omitted field keeps the value of the page', () => {
  const { config } = create();
  config.overlay({ botName: 'Page' });
  config.overlay({ color: '#222222' });
  expect(config.current).toMatchObject({ botName: 'Page', color: '#222222' });
});

test.each(['', null, undefined])('a blank value (%j) falls back to the dashboard', (blank) => {
  const { config, onInvalid } = create();
  config.dashboard({ botName: 'Dashboard' });
  config.overlay({ botName: 'Page', color: '#222222' });
  config.overlay({ botName: blank });
  expect(config.current).toMatchObject({ botName: 'Dashboard', color: '#222222' });
  expect(onInvalid).not.toHaveBeenCalled();
});

test('an invalid value falls back to the dashboard too, and is reported', () => {
  const { config, reported } = create();
  config.dashboard({ themeMode: 'dark' });
  config.overlay({ themeMode: 'light' });
  config.overlay({ themeMode: 'pink' });
  expect(config.current.themeMode).toBe('dark');
  expect(reported()).toEqual(['themeMode']);
});

test('the same problem is reported once, wherever and however often it occurs', () => {
  const { config, reported } = create();
  config.dashboard({ color: 'red' });
  for (const color of ['red', 'blue']) {
    config.overlay({ color });
    expect(config.current.color).toBe(launcherFields.color[1]);
  }
  expect(reported()).toEqual(['color']);
});

test("footer: '' removes it; another blank brings the dashboard's back", () => {
  const { config } = create();
  config.dashboard({ footer: 'ours' });
  config.overlay({ footer: '' });
  expect(config.current.footer).toBe('');
  config.overlay({ footer: undefined });
  expect(config.current.footer).toBe('ours');
});

test('a new dashboard replaces the old one completely', () => {
  const { config } = create();
  config.dashboard({ botName: 'A', botDescription: 'a' });
  config.dashboard({ botName: 'B' });
  expect(config.current.botName).toBe('B');
  expect(config.current).not.toHaveProperty('botDescription');
});

test.each([undefined, null, 'text', 5])('%j changes nothing', (fields) => {
  const { config, onInvalid } = create();
  config.overlay({ botName: 'Page' });
  config.overlay(fields);
  expect(config.current.botName).toBe('Page');
  expect(onInvalid).not.toHaveBeenCalled();
});

test('values are copied: a later change of the object has no effect', () => {
  const { config } = create();
  const fields = { botName: 'Page' };
  config.overlay(fields);
  fields.botName = 'Changed';
  expect(config.current.botName).toBe('Page');
});

test('attributes of the script tag have precedence over the dashboard, and the page over both', () => {
  const { config, onInvalid } = create({
    botName: 'Tag',
    radius: '2',
    feedbackEnabled: '',
    phone: '{"link":"tel:1"}',
    turboTrack: 'reload',
    chatUrl: '/chat',
  });
  config.dashboard({ botName: 'Dashboard', radius: 3, color: '#111111' });
  config.overlay({ radius: 1 });
  expect(config.current).toMatchObject({
    botName: 'Tag',
    radius: 1,
    feedbackEnabled: true,
    phone: { link: 'tel:1' },
    color: '#111111',
  });
  // A script tag has other attributes too.
  expect(onInvalid).not.toHaveBeenCalled();
});

test('an invalid value of the page falls back to the attribute, then to the dashboard', () => {
  const { config, reported } = create({ color: 'green', radius: 'round' });
  config.dashboard({ color: '#111111', radius: 2 });
  config.overlay({ color: 'red' });
  expect(config.current).toMatchObject({ color: '#111111', radius: 2 });
  expect(reported()).toEqual(['color', 'radius']);
});

test('names that a script has added to the prototype of all objects are no configuration', () => {
  const { config, onInvalid } = create(Object.create(null));
  Object.assign(Object.prototype, { color: 'red', botName: 'All' });
  let current: ResolvedConfiguration | undefined;
  try {
    config.dashboard({ radius: 2 });
    config.overlay({ offset: 3 });
    ({ current } = config);
  } finally {
    for (const name of ['color', 'botName']) Reflect.deleteProperty(Object.prototype, name);
  }
  expect(current).toMatchObject({ color: launcherFields.color[1], botName: 'Bot', radius: 2, offset: 3 });
  expect(onInvalid).not.toHaveBeenCalled();
});

test('marked fields are found in every layer, also with an invalid value, and the theme of the page is too', () => {
  const marks = { avoid: 1, botName: 0 };
  const { config } = create({ avoid: '' });
  expect(config.hasAny(marks)).toBe(true);
  const { config: other } = create({ botName: 'Attribute' });
  expect(other.hasAny(marks)).toBe(false);
  other.dashboard({ avoid: 5 });
  expect(other.hasAny(marks)).toBe(true);
  other.dashboard({ themeMode: 'auto' });
  expect(other.hasAny(marks)).toBe(false);
  other.overlay({ themeMode: 'page' });
  expect(other.hasAny(marks)).toBe(true);
});
