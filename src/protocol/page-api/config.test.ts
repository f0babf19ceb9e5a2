// Tests the configuration table: valid, blank and invalid values of each field, and the reported problems.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Configuration, chatFields, FieldName, launcherFields } from './config.ts';
import { attributeOf, fieldNames, fields, readLayer, resolveConfiguration } from './config-layers.ts';
import type { ConfigurationProblem } from './configuration-problems.ts';
import { readText } from './field-kinds.ts';
import type { fileFields } from './file-fields.ts';
import type { hostPageFields } from './host-page-fields.ts';
import type { visitorFields } from './visitor-fields.ts';

function read(layer: unknown): { values: Configuration; problems: ConfigurationProblem[] } {
  const problems: ConfigurationProblem[] = [];
  return { values: readLayer(layer, (problem) => problems.push(problem)), problems };
}

test('each field of the interface has a row in one of the tables', () => {
  type Tables = typeof launcherFields &
    typeof chatFields &
    typeof hostPageFields &
    typeof fileFields &
    typeof visitorFields;
  // The compiler reports the names of fields without a row.
  const missing: Record<Exclude<FieldName, keyof Tables>, never> = {};
  expect(missing).toEqual({});
});

const contact = { title: 'Call us', link: 'tel:+123' };
/** For every field, valid and invalid values. */
const samples: Record<FieldName, { good: unknown[]; bad: unknown[] }> = (() => {
  const text = { good: ['x', ' ', '<b>', 'ünï'], bad: [5, true, {}, [], () => 'x'] };
  const url = {
    good: [
      'https://a.test/x.png',
      'http://a.test',
      '//a.test/x',
      '/x.png',
      'x.png',
      './a:b',
      '?a:b',
      '#a:b',
      ' /x',
    ],
    bad: [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\nscript:alert(1)',
      'java\tscript:alert(1)',
      '\u0001javascript:alert(1)',
      'data:image/svg+xml,<svg/>',
      'vbscript:x',
      'blob:https://a.test/1',
      'file:///etc/passwd',
      5,
      {},
    ],
  };
  const boolean = { good: [true, false], bad: ['true', 0, 1, {}, []] };
  const number = (...good: number[]) => ({
    good,
    bad: ['2', Number.NaN, Number.POSITIVE_INFINITY, true, {}, []],
  });
  const link = {
    good: [contact, { title: 'x' }, { link: 'https://a.test' }],
    bad: ['https://a.test', 5, true, []],
  };
  const choices = (...good: string[]) => ({ good, bad: [good[0]?.toUpperCase(), 'other', 5, {}, good] });
  return {
    botName: text,
    botAvatar: url,
    pushWorker: url,
    botDescription: text,
    composerPlaceholder: text,
    color: {
      good: ['#abc', '#ABCDEF', '#012345'],
      bad: ['red', '#ab', '#abcd', '#abcdef0', 'abc', '#xyzxyz', '#abc;}', 'rgb(0,0,0)', 5],
    },
    themeMode: choices('light', 'dark', 'auto', 'page'),
    variant: choices('solid', 'soft'),
    allowFileUpload: boolean,
    emojiPicker: boolean,
    dictation: boolean,
    voiceMessages: boolean,
    maxFiles: number(1, 3, 8),
    maxFileBytes: number(1, 5_000_000, 1_073_741_824),
    fileTypes: {
      good: ['image/*', 'image/png,application/pdf', ' Image/PNG , text/plain '],
      bad: ['png', '.png', '*/*', 'image/*,', 'image/png;q=1', 5, ['image/*'], {}],
    },
    maxImageSide: number(0, 1_024, 16_384),
    showPoweredBy: { good: [], bad: [true, false, 'yes', 1] },
    feedbackEnabled: boolean,
    conversationList: boolean,
    deleteData: boolean,
    transcriptMail: boolean,
    regenerateEnabled: boolean,
    editEnabled: boolean,
    soundEnabled: boolean,
    sharePage: choices('path', 'full'),
    remoteImages: choices('click', 'listed', 'all'),
    imageOrigins: text,
    fabImage: url,
    radius: number(0.5, 1, 2.5, 4),
    position: choices('left', 'right'),
    offset: number(0, 20, 400),
    offsetX: number(0, 20, 400),
    offsetY: number(0, 20, 400),
    avoid: text,
    windowSize: choices('normal', 'expanded', 'docked'),
    webmcp: choices('offer', 'use'),
    expandable: boolean,
    dockable: boolean,
    resizable: boolean,
    density: choices('comfortable', 'compact'),
    textSize: number(12, 15, 24),
    zIndex: number(0, 1, 2147483647),
    launcher: boolean,
    starters: { good: [['Prices', 'Hours'], []], bad: ['Prices', 5, [5], {}, [['x']]] },
    preChatForm: { good: [{}, { name: 'required' }, { unknown: 1 }], bad: ['x', 5, true, () => 'x'] },
    home: {
      good: [true, false, {}, { title: 'Hello', text: 'x', starters: false, links: [contact] }],
      bad: ['Hello', 5, [], () => ({})],
    },
    proactiveMessage: text,
    proactiveDelay: number(0, 10, 3600),
    proactive: {
      good: [
        [],
        [{ id: 'a', text: 'Help?' }],
        [
          { id: 'a', text: { en: 'Help?', de: 'Hilfe?' }, show: 'session' },
          {
            id: 'b',
            text: 'Prices',
            when: {
              delaySeconds: 5,
              idleSeconds: 0,
              scrollPercent: 50,
              url: ['/a*', '/b'],
              exit: true,
              returning: false,
              user: { plan: ['free', 'team'] },
            },
          },
        ],
      ],
      bad: [
        'Help?',
        {},
        [null],
        ['Help?'],
        [{ id: 'a' }],
        [{ text: 'Help?' }],
        [{ id: 'a', text: '' }],
        [{ id: 'a', text: { en: 5 } }],
        [{ id: 'a', text: 'Help?', show: 'often' }],
        [{ id: 'a', text: 'Help?', when: { delay: 5 } }],
        [{ id: 'a', text: 'Help?', when: { delaySeconds: -1 } }],
        [{ id: 'a', text: 'Help?', when: { constructor: 5 } }],
        [
          { id: 'a', text: 'One' },
          { id: 'a', text: 'Two' },
        ],
      ],
    },
    fontFamily: text,
    additionalStylesheet: text,
    additionalStylesheetUrl: url,
    storageLocation: choices('localStorage', 'sessionStorage', 'memory'),
    mergeAnonymous: boolean,
    footer: { good: ['', 'x', '**x**'], bad: [5, false, {}] },
    aiNotice: { good: [true, false], bad: [1, 'yes', {}] },
    headerVariant: choices('solid', 'glass'),
    locale: text,
    strings: {
      good: [{}, { send: 'Go', unread: { one: '1', other: '2' } }, { send: 5 }],
      bad: ['x', 5, true, ['x']],
    },
    prefetch: boolean,
    adminKey: text,
    adminSecret: text,
    phone: link,
    email: link,
    website: link,
    termsOfService: link,
    privacyPolicy: link,
  };
})();

const cases = (kind: 'good' | 'bad') =>
  fieldNames.flatMap((name) => samples[name][kind].map((value) => [name, value] as const));

describe('readLayer', () => {
  test('the table contains all documented fields', () => {
    expect(fieldNames.toSorted()).toEqual(Object.keys(samples).toSorted());
  });

  test.each(cases('good'))('%s accepts %j', (name, value) => {
    expect(read({ [name]: value })).toEqual({ values: { [name]: value }, problems: [] });
  });

  test.each(cases('bad'))('%s refuses %j and reports it once', (name, value) => {
    const { values, problems } = read({ [name]: value });
    expect(values).toEqual({});
    expect(problems.map(({ field }) => field)).toEqual([name]);
    expect(problems[0]?.message).toContain(`'${name}' must be `);
  });

  test.each(fieldNames)('%s: a blank value falls back silently', (name) => {
    const blanks = [undefined, null, ...(name === 'footer' ? [] : [''])];
    for (const value of blanks) expect(read({ [name]: value })).toEqual({ values: {}, problems: [] });
  });

  test.each(['phone', 'email', 'website', 'termsOfService', 'privacyPolicy'] as const)(
    '%s: an empty link is blank',
    (name) => {
      for (const value of [{}, { title: '' }, { title: '', link: '' }]) {
        expect(read({ [name]: value })).toEqual({ values: {}, problems: [] });
      }
    },
  );

  test('an empty footer is a value: it removes the footer', () => {
    expect(read({ footer: '' }).values).toEqual({ footer: '' });
    expect(resolveConfiguration({ footer: '' }, { footer: 'dashboard' }).footer).toBe('');
  });

  test.each([
    [0.49, 0.5],
    [-1, 0.5],
    [0, 0.5],
    [4.01, 4],
    [1e9, 4],
    [3.5, 3.5],
  ])('radius %d is clamped to %d, without a problem', (input, radius) => {
    expect(read({ radius: input })).toEqual({ values: { radius }, problems: [] });
  });

  test.each([
    [-1, 0],
    [4000, 400],
  ])('offset %d is clamped to %d, without a problem', (input, offset) => {
    expect(read({ offset: input })).toEqual({ values: { offset }, problems: [] });
  });

  test('showPoweredBy is unsupported and points to footer', () => {
    expect(read({ showPoweredBy: false }).problems).toEqual([
      {
        field: 'showPoweredBy',
        message: "Configuration: 'showPoweredBy' must be left out: use 'footer' instead.",
      },
    ]);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'colour', '', 'BOTNAME'])(
    'there is no field %j',
    (name) => {
      const layer: unknown = JSON.parse(`{${JSON.stringify(name)}: {"color": "#fff"}, "color": "#000"}`);
      const { values, problems } = read(layer);
      expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
      expect(Object.entries(values)).toEqual([['color', '#000']]);
      expect(problems).toEqual([{ field: name, message: `Configuration: no field '${name}'.` }]);
    },
  );

  test.each([undefined, null, 'text', 5, true])('%j is an empty layer', (layer) => {
    expect(read(layer)).toEqual({ values: {}, problems: [] });
  });

  test('any value results in fields of the table only, and never throws', () => {
    const layers = fc.oneof(
      fc.anything(),
      fc.dictionary(fc.oneof(fc.constantFrom(...fieldNames), fc.string()), fc.anything()),
    );
    fc.assert(
      fc.property(layers, (layer) => {
        const { values } = read(layer);
        // Values that were accepted are accepted again, unchanged.
        expect(read(values)).toEqual({ values, problems: [] });
        for (const name of Object.keys(values)) expect(fieldNames).toContain(name);
      }),
    );
  });
});

describe('resolveConfiguration', () => {
  test('without layers the configuration has the documented defaults and nothing else', () => {
    expect(resolveConfiguration()).toEqual({
      aiNotice: false,
      botName: 'Bot',
      color: '#3276EA',
      conversationList: true,
      deleteData: false,
      transcriptMail: false,
      dictation: false,
      voiceMessages: false,
      emojiPicker: false,
      themeMode: 'light',
      variant: 'solid',
      feedbackEnabled: false,
      regenerateEnabled: false,
      editEnabled: false,
      soundEnabled: false,
      remoteImages: 'click',
      radius: 4,
      offset: 20,
      launcher: true,
      proactiveDelay: 10,
      storageLocation: 'localStorage',
      mergeAnonymous: false,
      prefetch: true,
      maxFiles: 8,
      maxImageSide: 2560,
      windowSize: 'normal',
      expandable: false,
      dockable: false,
      resizable: false,
      footer: 'Powered by Platform Webchat',
      headerVariant: 'glass',
    });
  });

  test('the first layer has precedence, field by field', () => {
    const resolved = resolveConfiguration(
      { botName: 'Page', feedbackEnabled: false },
      { botName: 'Dashboard', feedbackEnabled: true, color: '#000' },
    );
    expect(resolved).toMatchObject({ botName: 'Page', feedbackEnabled: false, color: '#000', radius: 4 });
  });

  test('every default passes its own check', () => {
    expect(read(resolveConfiguration()).problems).toEqual([]);
  });
});

describe('attributes', () => {
  const fromText = (name: FieldName, text: string) => read({ [name]: readText(fields[name][0], text) });

  test.each([
    ['botName', 'data-bot-name'],
    ['additionalStylesheetUrl', 'data-additional-stylesheet-url'],
    ['color', 'data-color'],
    ['phone', 'data-phone'],
  ] as const)('%s is %s', (name, attribute) => expect(attributeOf(name)).toBe(attribute));

  test('every field has its own; HTML converts attribute names to lower case', () => {
    const names = fieldNames.map(attributeOf);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(fieldNames.length);
    for (const name of names) expect(name).toMatch(/^data(-[a-z]+)+$/);
  });

  test.each(cases('good'))('%s %j is unchanged after formatting and parsing', (name, value) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(fromText(name, text)).toEqual({ values: { [name]: value }, problems: [] });
  });

  test('a boolean attribute without a value is true; any other text is a problem', () => {
    expect(fromText('feedbackEnabled', '').values).toEqual({ feedbackEnabled: true });
    expect(fromText('feedbackEnabled', 'yes').problems.map(({ field }) => field)).toEqual([
      'feedbackEnabled',
    ]);
  });

  test.each(['', '  ', '\n'])('a blank number %j falls back and is not 0', (text) => {
    expect(fromText('radius', text)).toEqual({ values: {}, problems: [] });
  });

  test.each([
    ['radius', 'round'],
    ['phone', 'tel:+123'],
    ['starters', 'Prices'],
    ['strings', '{"send"'],
    ['strings', '"__proto__"'],
  ] as const)('%s %j is reported', (name, text) => {
    expect(fromText(name, text).problems.map(({ field }) => field)).toEqual([name]);
  });
});
