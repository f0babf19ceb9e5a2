// Tests the sentences for names that no table has and for invalid values, and that each is printed once.
import { expect, test, vi } from 'vitest';
import { checkNames } from './main.ts';
import { explain, reportName } from './unknown-names.ts';

test.each([
  ['attribute', 'colour', "'data-color'"],
  ['attribute', 'clor', "'data-color'"],
  ['attribute', 'botname', "'data-bot-name'"],
  ['attribute', 'chatUri', "'data-chat-url'"],
  ['attribute', 'theme', "'data-theme-mode'"],
  ['configuration', 'colour', "'color'"],
  ['configuration', 'avatar', "'botAvatar'"],
  ['configuration', 'postion', "'position'"],
  ['option', 'configuraton', "'configuration'"],
  ['option', 'chaturl', "'chatUrl'"],
  ['user', 'userkey', "'userKey'"],
  ['user', 'picture', "'pictureUrl'"],
  ['event', 'messages', "'message'"],
  ['event', 'opened', "'webchat:opened'"],
  ['event', 'ready', "'webchat:ready'"],
] as const)('the %s %s has the nearest right name %s', (kind, name, near) => {
  expect(explain(kind, name)).toContain(`Did you mean ${near}?`);
});

test.each([
  ['configuration', 'nonsense', 'docs/reference/configuration.md'],
  ['option', 'color', 'config({ configuration: { color } })'],
  ['option', 'userKey', 'config({ user: { userKey } })'],
  ['user', 'email', 'updateUser({ data: { email } })'],
  ['event', 'typing', 'Available: conversation, message, error'],
  ['configuration', '__proto__', "no field '__proto__'"],
  ['option', 'hasOwnProperty', "no option 'hasOwnProperty'"],
] as const)('the %s %s, which is near no name, has another cure', (kind, name, cure) => {
  expect(explain(kind, name)).toContain(cure);
  expect(explain(kind, name)).not.toContain('Did you mean');
});

test.each([
  'turboTrack',
  'cfasync',
  'nscript',
  'cookieconsent',
  'category',
  'name',
  'src',
  'type',
  'service',
  'status',
  'ready',
  'constructor',
])('the attribute %s belongs to another tool', (name) => expect(explain('attribute', name)).toBeUndefined());

test.each([
  ['color', 'a HEX color'],
  ['themeMode', 'light or dark or auto or page'],
  ['radius', 'a number'],
  ['fileTypes', 'media types'],
  ['showPoweredBy', "left out: use 'footer' instead"],
])('an invalid value of the field %s is explained: it must be %s', (name, description) => {
  expect(explain('value', name)).toContain(`Configuration: '${name}' must be ${description}`);
});

test('the name of a field whose value is invalid is reported, although the tables have it', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const emit = vi.fn();
  for (const _ of [1, 2]) checkNames(emit, 'value', 'offset');
  expect(emit.mock.calls).toEqual([
    [
      'error',
      expect.objectContaining({
        code: 'invalid_configuration',
        message: "Configuration: 'offset' must be a number.",
      }),
    ],
  ]);
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});

test('a name is printed and emitted once', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const emit = vi.fn();
  for (const _ of [1, 2, 3]) reportName(emit, 'user', 'phoneNumber');
  expect(warn.mock.calls).toEqual([[expect.stringContaining("A user has no field 'phoneNumber'")]]);
  expect(emit.mock.calls).toEqual([['error', expect.objectContaining({ code: 'invalid_argument' })]]);
  warn.mockRestore();
});
