// Tests the texts of the server: their language, and English where a text is missing.
import { expect, test } from 'vitest';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import { locales, textsFor } from './index.ts';
import ptPT from './pt-PT.json' with { type: 'json' };
import zhHant from './zh-Hant.json' with { type: 'json' };

test.each([
  [['de-AT'], 'de', de],
  [['zh-TW'], 'zh-Hant', zhHant],
  [['pt-PT', 'de'], 'pt-PT', ptPT],
  [[undefined, 'de'], 'de', de],
  [['toString', '__proto__', 'tlh'], 'en', en],
  [[], 'en', en],
])('the languages %j get %s', (tags, name, { agents, answerMail, linkPages, transcriptMail }) => {
  const { texts, language, direction } = textsFor(tags);
  expect({ language, direction }).toEqual({ language: name, direction: 'ltr' });
  expect(texts).toMatchObject({ agents, answerMail, linkPages, transcriptMail });
});

test('a missing text and a missing section are English', () => {
  const { agents, linkPages } = locales.de ?? {};
  try {
    Object.assign(locales.de ?? {}, { agents: { limit: 'Zu viel' }, linkPages: undefined });
    expect(textsFor(['de']).texts).toMatchObject({
      agents: { ...en.agents, limit: 'Zu viel' },
      linkPages: en.linkPages,
      answerMail: de.answerMail,
    });
  } finally {
    Object.assign(locales.de ?? {}, { agents, linkPages });
  }
});

test('the texts of the server differ in each language', () => {
  const limits = Object.keys(locales).map((name) => textsFor([name]).texts.agents.limit);
  expect(new Set(limits).size).toBe(limits.length);
});
