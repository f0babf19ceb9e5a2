// Tests the texts of the catalogues: letters, length, punctuation and spaces of their language, and nothing left in English.
import { expect, test } from 'vitest';
import { directionOf } from '../../protocol/locale/choose-locale.ts';
import { all, englishOf, names, withoutPlaceholders } from './testing.ts';

/** Every text of every catalogue: its name such as `de.send`, the text, and the English text. */
const texts = names.flatMap((name) =>
  Object.entries(all[name] ?? {}).map(([key, form]) => ({ name, key, form, english: englishOf(key) ?? '' })),
);
const show = ({ name, key, form }: (typeof texts)[number]) => `${name}.${key}: ${form}`;
const where = (isWrong: (text: (typeof texts)[number]) => boolean) => texts.filter(isWrong).map(show);

/** The scripts of the languages (ISO 15924 -> Unicode's names): Japanese and Korean have several. */
const scripts: Record<string, string[]> = {
  Latn: ['Latin'],
  Grek: ['Greek'],
  Cyrl: ['Cyrillic'],
  Arab: ['Arabic'],
  Hebr: ['Hebrew'],
  Deva: ['Devanagari'],
  Beng: ['Bengali'],
  Thai: ['Thai'],
  Hans: ['Han'],
  Hant: ['Han'],
  Jpan: ['Han', 'Hiragana', 'Katakana'],
  Kore: ['Hangul'],
};
const scriptOf = (name: string) => new Intl.Locale(name).maximize().script ?? '';

test('the letters of a text are of the script of its language', () => {
  const patterns = Object.fromEntries(
    Object.entries(scripts).map(([script, properties]) => [
      script,
      // The long vowel mark of Japanese is common to two scripts, as are the marks of Indian ones.
      new RegExp(`^[^\\p{L}]*([${properties.map((each) => `\\p{scx=${each}}`)}][^\\p{L}]*)+$`, 'u'),
    ]),
  );
  expect(
    where(
      ({ name, form }) =>
        !patterns[scriptOf(name)]?.test(withoutPlaceholders(form)) &&
        /\p{L}/u.test(withoutPlaceholders(form)),
    ),
  ).toEqual([]);
  expect(
    where(
      ({ form, english }) =>
        !/\p{L}/u.test(withoutPlaceholders(form)) && /[a-z]/.test(withoutPlaceholders(english)),
    ),
  ).toEqual(
    // A fraction is how these languages count.
    [
      'fi.card: {number}/{count}',
      'hu.card: {number} / {count}',
      'ja.card: {number} / {count}',
      'tr.card: {number} / {count}',
    ],
  );
});

test('simplified and traditional characters are not mixed', () => {
  const simplified = /[开关闭读载连无让这发选择图频档没还为会复对话条输择删传动线设声贴]/;
  const traditional = /[開關閉讀載連無讓這發選擇圖頻檔沒還為會複對話條輸擇刪傳動線設聲貼]/;
  const own = (pattern: RegExp, other: RegExp) =>
    new RegExp(
      `[${[...pattern.source].filter((letter) => /\p{L}/u.test(letter) && !other.source.includes(letter)).join('')}]`,
    );
  expect(where(({ name, form }) => name === 'zh-Hant' && own(simplified, traditional).test(form))).toEqual(
    [],
  );
  expect(where(({ name, form }) => name === 'zh' && own(traditional, simplified).test(form))).toEqual([]);
});

test('a text has no letters that look like others, and is in normal form', () => {
  expect(where(({ form }) => form !== form.normalize('NFC'))).toEqual([]);
  // Arabic Kaf and Yeh in Persian, Persian ones in Arabic; cedillas in Romanian; the soft hyphen and other invisible letters.
  expect(where(({ name, form }) => name === 'fa' && /[\u0643\u064a\u0649]/.test(form))).toEqual([]);
  expect(where(({ name, form }) => name === 'ar' && /[\u06a9\u06cc]/.test(form))).toEqual([]);
  expect(where(({ name, form }) => name === 'ro' && /[şţŞŢ]/.test(form))).toEqual([]);
  expect(where(({ name, form }) => name === 'uk' && /[ыэёъ]/i.test(form))).toEqual([]);
  expect(where(({ name, form }) => name === 'ru' && /[іїєґ]/i.test(form))).toEqual([]);
  // The zero-width non-joiner is part of Persian writing.
  expect(where(({ name, form }) => (name === 'fa' ? /[^\P{Cf}\u200c]/u : /\p{Cf}/u).test(form))).toEqual([]);
});

/** The words that a language shares with English. */
const shared: Record<string, string> = {
  da: 'Video Send Code (person)',
  de: 'Audio Video Code Code: Name optional',
  es: 'Audio No',
  fi: 'Video',
  fr: 'Messages Image Audio Suggestions Contact Code Message Code: source sources suggestion suggestions Page',
  id: 'Audio Video Emoji',
  it: 'Audio Video File Chat Emoji No',
  nb: 'Video Send (person)',
  nl: 'Audio Video Code Contact Code: Emoji',
  ro: 'Audio Video Contact Emoji',
  cs: 'Video Emoji',
  sv: 'Video (person)',
  tr: 'Video',
  pl: 'Emoji',
  vi: 'Video Emoji',
};

test('nothing is left in English, apart from words that the language shares with it', () => {
  const bare = (text: string) => withoutPlaceholders(text).replaceAll('\u00a0', '').trim();
  const untranslated = texts.filter(
    ({ name, form, english }) =>
      name !== 'en' &&
      /\p{L}/u.test(bare(form)) &&
      bare(form) === bare(english) &&
      !(shared[name] ?? '').split(' ').includes(bare(form)),
  );
  expect(untranslated.map(show)).toEqual([]);
  // No word of English grammar in any language that does not have it.
  expect(
    where(
      ({ name, form }) =>
        name !== 'en' &&
        /\b(the|your|message|please|could|loaded|file)\b/i.test(form) &&
        !/^(fr|it)$/.test(name),
    ),
  ).toEqual([]);
});

/** The columns of a text: wide characters of East Asia have two, combining marks none, and a value four. */
function columns(text: string): number {
  const shown = text.replace(/\{\w*\}/g, '1234').replace(/[\p{Mn}\p{Me}\p{Cf}]/gu, '');
  const wide =
    shown.match(/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\uff01-\uff5e]/gu) ?? [];
  return [...shown].length + wide.length;
}

/**
 * How much longer than English a translation may be, by the length of the English text: the table of IBM that the W3C
 * recommends (https://www.w3.org/International/articles/article-text-size).
 */
const allowance = [
  [10, 3],
  [20, 2],
  [30, 1.8],
  [50, 1.6],
  [70, 1.7],
  [Number.POSITIVE_INFINITY, 1.3],
] as const;

test('a text is at most as much longer than English as the layout has room for', () => {
  const limit = (text: string) => {
    const length = columns(text);
    return length * (allowance.find(([most]) => length <= most)?.[1] ?? 0);
  };
  expect(where(({ form, english }) => columns(form) > limit(english))).toEqual([]);
});

test('a button has at most 16 columns: two of them stand beside each other at a width of 320 pixels', () => {
  const buttons = [
    'sendAnswer',
    'restartConfirm',
    'deleteConfirm',
    'closeDialog',
    'cancel',
    'retry',
    'discard',
    'skip',
    'sendComment',
    'copyCode',
    'codeCopied',
    'approve',
    'decline',
    'yes',
    'no',
    'submit',
  ];
  expect(where(({ key, form }) => buttons.includes(key) && columns(form) > 16)).toEqual([]);
});

test('no text begins or ends with a space, has two in a row, or has a line break', () => {
  expect(where(({ form }) => !/^\S(.*\S)?$/.test(form) || /\s\s|[\t\r\n]/.test(form))).toEqual([]);
});

test('quotes are those of print, and of one kind in each language', () => {
  expect(where(({ form }) => /["'`´]/.test(form))).toEqual([]);
  for (const name of names) {
    const used = texts
      .filter((text) => text.name === name)
      .flatMap(({ form }) => form.match(/[«»„“”‚‘’「」『』׳״]/g) ?? []);
    expect(new Set(used).size, name).toBeLessThanOrEqual(1);
  }
});

/** Wrong texts of a language: a pattern for each, and the reason. */
const wrong: Record<string, [names: string[], pattern: RegExp]> = {
  'three dots instead of an ellipsis': [names.filter((name) => name !== 'en'), /\.\.\./],
  'French: no space, or one that breaks, before double punctuation': [['fr'], /[^\u00a0\u202f][:;?!]/],
  'a space before punctuation': [names.filter((name) => name !== 'fr'), /\s[,.;:?!،؛؟。，：？]/],
  'Spanish: a question or an exclamation that is not opened': [['es'], /^[^¿]*\?|^[^¡]*!/],
  'Greek: a Latin question mark': [['el'], /[?]/],
  'Arabic and Persian: Latin comma, semicolon or question mark': [['ar', 'fa'], /[,;?]/],
  'Chinese and Japanese: Latin punctuation': [['zh', 'zh-Hant', 'ja'], /[,.;:?!()]/],
  'Hindi and Bengali: a Latin full stop': [['hi', 'bn'], /\./],
  'Thai: a full stop, or a question mark': [['th'], /[.?।。]/],
  'two sentences without a space': [names, /[.!?؟](?=\p{L})/u],
  'German: an ellipsis in place of a word without its space': [['de'], /\S…/],
};

test.each(Object.entries(wrong))('no text has %s', (_, [languages, pattern]) => {
  expect(
    where(({ name, form }) => languages.includes(name) && pattern.test(withoutPlaceholders(form))),
  ).toEqual([]);
});

test('a text is a sentence in every language exactly if it is one in English', () => {
  const end: Record<string, RegExp> = {
    hi: /।$/,
    bn: /।$/,
    zh: /。$/,
    'zh-Hant': /。$/,
    ja: /。$/,
    th: /[^.]$/,
  };
  for (const text of texts) {
    const isSentence = /[^.]\.$/.test(text.english);
    const pattern = end[text.name] ?? /[^.]\.$/;
    if (isSentence || text.name !== 'th') expect(pattern.test(text.form), show(text)).toBe(isSentence);
  }
  const question = /[?؟？;]/;
  expect(
    where(({ name, form, english }) => name !== 'th' && question.test(english) && !question.test(form)),
  ).toEqual(['ja.comment: 問題点をお聞かせください（任意）']);
});

test('capitals begin the same texts as in English, where a script has them', () => {
  const first = (text: string) => text.match(/^\p{L}/u)?.[0] ?? '';
  expect(where(({ form, english }) => /\p{Lu}/u.test(first(english)) && /\p{Ll}/u.test(first(form)))).toEqual(
    [],
  );
  expect(where(({ form, english }) => /\p{Ll}/u.test(first(english)) && /\p{Lu}/u.test(first(form)))).toEqual(
    [],
  );
});

test('the direction of a language is that of its letters', () => {
  for (const name of names) {
    const letters = texts
      .filter((text) => text.name === name)
      .map(({ form }) => withoutPlaceholders(form))
      .join('');
    const isRightToLeft = /[\p{scx=Arab}\p{scx=Hebr}]/u.test(letters.replace(/\P{L}/gu, ''));
    expect(directionOf(name), name).toBe(isRightToLeft ? 'rtl' : 'ltr');
  }
});
