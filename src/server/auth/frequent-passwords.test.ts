// Writes the list of common passwords from the package that has them (`npm run generate`), and checks it.
import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { limits } from '../../protocol/limits.ts';

/** The most common ones, which are also tried with digits around them, and all that are long enough to be a password. */
const mostCommon = 10_000;

const all = (dictionary['passwords-common'] as (string | number)[]).map((one) => String(one).toLowerCase());

test('common passwords: the list matches the package (npm run generate writes it)', async () => {
  const frequent = all.filter(
    (one, n) => /^[\x21-\x7e]+$/.test(one) && (n < mostCommon || one.length >= limits.passwordMin),
  );
  const words = [...new Set(frequent)].map((one) => one.replaceAll('\\', '\\\\').replaceAll("'", "\\'"));
  await expect(`// Common passwords, most common first: from @zxcvbn-ts/language-common (MIT), which has them from lists of leaked ones.
// Written by frequent-passwords.test.ts. Do not edit.
// biome-ignore-all format: generated

/** Passwords in lower case that are tried first. */
export const frequentPasswords: ReadonlySet<string> = new Set(
  '${words.join(' ')}'.split(' '),
);
`).toMatchFileSnapshot('./frequent-passwords.ts');
});
