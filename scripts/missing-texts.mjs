// `node scripts/missing-texts.mjs`: lists for each language the keys of src/locales/en.json that its file lacks, whose texts are
// English until they are translated, and the keys that no code uses. Ends with status 1 if there are any.
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const folder = new URL('../src/locales/', import.meta.url);

/** Returns the files of src/locales by language. */
export const readLocales = () =>
  Object.fromEntries(
    readdirSync(folder)
      .flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])
      .sort()
      .map((name) => [name, JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))]),
  );

/** Returns the texts of a file by their path, such as `widget.chat.close`. */
export const flatten = (texts, path = '') =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) =>
      typeof text === 'string' ? [[path + key, text]] : Object.entries(flatten(text, `${path}${key}.`)),
    ),
  );

/** Returns the plural categories of the whole numbers, and `other`, which is used if one is missing. Fractions are never counted. */
export function categoriesOf(language) {
  const rules = new Intl.PluralRules(language);
  const counts = [...Array(1_001).keys(), 1_000_000, 2_000_000, 1_000_001];
  return [...new Set([...counts.map((count) => rules.select(count)), 'other'])].sort();
}

/** Compares the keys of a language with the English ones: `NAME_one` and `NAME_other` are expected in each of its categories. */
export function compareKeys(english, translation, language) {
  const expected = Object.keys(flatten(english)).flatMap((key) => {
    const [name, form] = key.split('_');
    if (!form) return key;
    return form === 'other' ? categoriesOf(language).map((category) => `${name}_${category}`) : [];
  });
  const present = Object.keys(flatten(translation));
  return {
    missing: expected.filter((key) => !present.includes(key)),
    superfluous: present.filter((key) => !expected.includes(key)),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const locales = readLocales();
  for (const [language, texts] of Object.entries(locales)) {
    const { missing, superfluous } = compareKeys(locales.en, texts, language);
    for (const key of missing) console.log(`${language}: missing ${key}`);
    for (const key of superfluous) console.log(`${language}: superfluous ${key}`);
    if (missing.length + superfluous.length > 0) process.exitCode = 1;
  }
  if (!process.exitCode) console.log(`The keys of ${Object.keys(locales).length} languages are complete.`);
}
