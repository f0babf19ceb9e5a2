// Tests the set-up in the address: any set-up is restored, invalid text is reported, and secrets are left out.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { locales } from '../../locales/index.ts';
import { anyText } from '../../protocol/any-text.testing.ts';
import type { Configuration } from '../../protocol/page-api/config.ts';
import { fieldNames, fields, readLayer } from '../../protocol/page-api/config-layers.ts';
import { defaultView, languages, readHash, viewNames, writeHash } from './setup.ts';
import { configurations, views } from './testing.ts';

test('languages: every language of the widget can be chosen for the page', () => {
  expect(languages).toEqual(Object.keys(locales).toSorted());
});

test('set-up in the address: any set-up is the same after writing and reading', () => {
  fc.assert(
    fc.property(configurations, views, (configuration, view) => {
      const { adminKey, adminSecret, ...rest } = configuration;
      const hash = writeHash({ configuration, view });
      expect(readHash(hash)).toEqual({ setup: { configuration: rest, view }, problems: [] });
      expect(readHash(`#${hash}`).setup).toEqual({ configuration: rest, view });
    }),
  );
});

test('set-up in the address: unset fields are left out', () => {
  expect(writeHash({ configuration: {}, view: defaultView })).toBe('');
  expect(writeHash({ configuration: { color: undefined } as never, view: defaultView })).toBe('');
  expect(writeHash({ configuration: { footer: '', radius: 2 }, view: { ...defaultView, dir: 'rtl' } })).toBe(
    'radius=2&footer=&view.dir=rtl',
  );
});

test('set-up in the address: a secret is neither written nor read', () => {
  expect(writeHash({ configuration: { adminKey: 's3cret', adminSecret: 's3cret' }, view: defaultView })).toBe(
    '',
  );
  const { setup, problems } = readHash('#adminKey=s3cret&adminSecret=s3cret');
  expect(setup.configuration).toEqual({});
  expect(problems).toHaveLength(2);
  expect(problems.join()).not.toContain('s3cret');
});

test.each([
  ['nope=1', "No field 'nope'."],
  ['__proto__=%7B%22color%22%3A%22%23fff%22%7D', "No field '__proto__'."],
  ['color=red', "'color' must be a HEX color."],
  ['radius=round', "'radius' must be a number."],
  ['strings=%7B', "'strings' must be an object."],
  ['botAvatar=javascript:alert(1)', "'botAvatar' must be a web address."],
  ['showPoweredBy=true', "'showPoweredBy' must be left out: use 'footer' instead."],
  ['view.frame=tablet', "'view.frame' cannot be 'tablet'."],
  ['view.bot=../admin', "'view.bot' cannot be '../admin'."],
  ['view.lang=', "'view.lang' cannot be ''."],
  ['view.nope=1', "No field 'view.nope'."],
  [`${'x'.repeat(5000)}=1`, `No field '${'x'.repeat(40)}…'.`],
])('set-up in the address: %s is left out and reported; the other fields are read', (hash, problem) => {
  const { setup, problems } = readHash(`#${hash}&botName=Ada&view.ground=dark`);
  expect(problems).toEqual([problem]);
  expect(setup).toEqual({ configuration: { botName: 'Ada' }, view: { ...defaultView, ground: 'dark' } });
});

test('set-up in the address: a number is clamped to its range; a blank one uses the default', () => {
  expect(readHash('radius=99').setup.configuration).toEqual({ radius: 4 });
  expect(readHash('radius=&botName=&color=')).toEqual({
    setup: { configuration: {}, view: defaultView },
    problems: [],
  });
});

test('set-up in the address: any text is read without an exception', () => {
  const names = fc.oneof(
    fc.constantFrom(...fieldNames, ...viewNames.map((name) => `view.${name}`)),
    fc.string(),
  );
  const pairs = fc
    .array(fc.tuple(names, fc.oneof(fc.string(), fc.json())))
    .map((all) => all.map(([name, text]) => `${name}=${text}`).join('&'));
  fc.assert(
    fc.property(fc.oneof(pairs, anyText()), (hash) => {
      const { setup } = readHash(hash);
      const again: string[] = [];
      expect(readLayer(setup.configuration, ({ message }) => again.push(message))).toEqual(
        setup.configuration,
      );
      expect(again).toEqual([]);
      for (const name of Object.keys(setup.configuration)) expect(Object.hasOwn(fields, name)).toBe(true);
      // Writing the result gives an equivalent address.
      const { adminKey, adminSecret, ...rest } = setup.configuration as Configuration;
      expect(readHash(writeHash(setup)).setup).toEqual({ configuration: rest, view: setup.view });
    }),
  );
});
