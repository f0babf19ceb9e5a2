// Tests that the server accepts correctly signed keys and no others, and runs the recipes of docs/guides/identify.md in
// the languages that are installed on this machine.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createUserKeys } from '../../server/auth/user-keys.ts';
import { startTestServer } from '../../server/testing.ts';
import { signUserKey } from './user-key.ts';

const secret = 'sécret of tests, with more than ASCII 漢';
const verify = (key: string, by = secret, now = Date.now()) => createUserKeys(by, () => now).verify(key);
const payloadOf = (key: string) =>
  JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString()) as {
    id: string;
    iat: number;
    exp?: number;
  };

test('a server with personal keys creates the user of a signed key, and recognises them later', async () => {
  const server = await startTestServer({ USER_KEYS: 'personal', secret });
  const key = await signUserKey({ id: 'shop/7', secret, expiresInSeconds: 60 });
  const made = await server.call('POST', '/users/get-or-create', { key, body: { name: 'Seven' } });
  expect(made).toMatchObject({ status: 201, body: { user: { id: 'shop/7', name: 'Seven' } } });
  const renewed = await signUserKey({ id: 'shop/7', secret, expiresInSeconds: 120 });
  expect(renewed).not.toBe(key);
  const found = await server.call('GET', '/users/me', { key: renewed });
  expect(found).toMatchObject({ status: 200, body: { user: { name: 'Seven' } } });

  const wrong = await signUserKey({ id: 'shop/7', secret: `${secret}!` });
  const [, payload] = key.split('.');
  const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`;
  for (const refused of [wrong, none, key.slice(0, -2), '']) {
    const response = await server.call('POST', '/users/get-or-create', { key: refused, body: {} });
    expect(response, refused).toMatchObject({ status: 401, body: { type: 'Unauthorized' } });
  }
  await server.close();
});

test('a key is valid until its expiry and not longer; without one, permanently', async () => {
  const key = await signUserKey({ id: 'a', secret, expiresInSeconds: 60 });
  const end = (payloadOf(key).exp ?? 0) * 1_000;
  expect(end - Date.now()).toBeGreaterThan(0);
  expect([verify(key, secret, end - 1), verify(key, secret, end)]).toEqual(['a', undefined]);
  const endless = await signUserKey({ id: 'a', secret });
  expect(payloadOf(endless)).toEqual({ id: 'a', iat: expect.any(Number) });
  expect(verify(endless, secret, Date.now() + 1e13)).toBe('a');
});

test('for any allowed id and secret, the server reads the id that was signed', async () => {
  const ids = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9_\-/\\]{1,70}$/),
    fc.stringMatching(/^[!-*,-~]{3,120}$/),
  );
  // A lone surrogate cannot be encoded in UTF-8, and so cannot be part of a secret.
  const secrets = fc.string({ minLength: 16, maxLength: 200, unit: 'grapheme' });
  await fc.assert(
    fc.asyncProperty(ids, secrets, async (id, by) => {
      const key = await signUserKey({ id, secret: by, expiresInSeconds: 3_600 });
      expect(key).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{43}$/);
      expect([verify(key, by), verify(key, `${by}.`)]).toEqual([id, undefined]);
    }),
  );
});

test.each([
  ['an empty id', { id: '' }, 'id must be'],
  ['an id with a NUL', { id: 'victim\0x' }, 'id must be'],
  ['an id of 121 characters', { id: 'a'.repeat(121) }, 'id must be'],
  ['an id that is a part of no path', { id: '..' }, 'id must be'],
  ['an id that is not a text', { id: 7 }, 'id must be'],
  ['a short secret', { secret: 'x'.repeat(15) }, 'secret must have'],
  ['a time before now', { expiresInSeconds: -1 }, 'expiresInSeconds must be'],
  ['no number', { expiresInSeconds: Number.NaN }, 'expiresInSeconds must be'],
  ['for ever', { expiresInSeconds: Number.POSITIVE_INFINITY }, 'expiresInSeconds must be'],
])('%s is refused', async (_, wrong, message) => {
  const signing = signUserKey({ id: 'a', secret, ...wrong } as Parameters<typeof signUserKey>[0]);
  await expect(signing).rejects.toThrow(RangeError);
  await expect(signing).rejects.toThrow(message);
  // Errors are logged, so they must not contain the secret.
  await expect(signing).rejects.not.toThrow(secret);
});

describe('the recipes of docs/guides/identify.md', () => {
  const docs = readFileSync(new URL('../../../docs/guides/identify.md', import.meta.url), 'utf8');
  const codeOf = (language: string) =>
    new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(docs)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'identify-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Language -> the command that detects it, the program made of the recipe, and the command that runs it. */
  const recipes: Record<
    string,
    { detect: string[]; file: string; run: string[]; programOf(code: string): string }
  > = {
    python: {
      detect: ['python3', '--version'],
      file: 'recipe.py',
      run: ['python3'],
      programOf: (code) => `${code}\nprint(user_key("shop/7"))`,
    },
    php: {
      detect: ['php', '--version'],
      file: 'recipe.php',
      run: ['php'],
      programOf: (code) => `<?php\n${code}\necho user_key('shop/7');`,
    },
    ruby: {
      detect: ['ruby', '--version'],
      file: 'recipe.rb',
      run: ['ruby'],
      programOf: (code) => `${code}\nputs user_key('shop/7')`,
    },
    perl: {
      detect: ['perl', '-MJSON::PP', '-MDigest::SHA', '-e', '1'],
      file: 'recipe.pl',
      run: ['perl'],
      programOf: (code) => `use strict; use warnings;\n${code}\nprint user_key('shop/7');`,
    },
    go: {
      detect: ['go', 'version'],
      file: 'recipe.go',
      run: ['go', 'run'],
      programOf: (code) =>
        `${code}\nfunc main() { key, _ := userKey("shop/7", time.Hour); os.Stdout.WriteString(key) }`,
    },
    java: {
      detect: ['java', '-version'],
      file: 'UserKey.java',
      run: ['java'],
      programOf: (code) =>
        code.replace(
          /\}\s*$/,
          'public static void main(String[] a) throws Exception { System.out.print(of("shop/7", 3600)); }\n}',
        ),
    },
    sh: {
      detect: ['openssl', 'version'],
      file: 'recipe.sh',
      run: ['sh', '-eu'],
      programOf: (code) => `${code}\nuser_key shop/7`,
    },
  };
  const has = ([program = '', ...rest]: string[]) => {
    try {
      execFileSync(program, rest, { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };

  for (const [language, { detect, file, run, programOf }] of Object.entries(recipes)) {
    test.skipIf(!has(detect))(
      `in ${language}: the server takes its key, and only with this secret`,
      async () => {
        const code = codeOf(language);
        expect(code).toContain('USER_KEY_SECRET');
        const path = join(folder, file);
        writeFileSync(path, programOf(code));
        const [program = '', ...rest] = run;
        const before = Math.floor(Date.now() / 1_000);
        // The secret of a real server contains only ASCII, because programs decode the environment differently.
        const env = { ...process.env, USER_KEY_SECRET: 'a secret of sixteen or more' };
        // Go and Java compile first, which takes long on a busy machine.
        const { stdout } = await promisify(execFile)(program, [...rest, path], { env, timeout: 200_000 });
        const key = stdout.trim();
        expect(verify(key, env.USER_KEY_SECRET)).toBe('shop/7');
        expect(verify(key, 'another secret altogether')).toBeUndefined();
        const { iat, exp } = payloadOf(key);
        expect(exp).toBeGreaterThanOrEqual(before + 3_600);
        expect(iat).toBeGreaterThanOrEqual(before);
        expect(iat).toBeLessThanOrEqual(Date.now() / 1_000);
      },
    );
  }

  test('every recipe can be run, except those that are listed as untested', () => {
    const languages = [...docs.matchAll(/^```(\w+)\n/gm)].map(([, name]) => name);
    // e2e/docs/readme.spec.ts runs the recipe of Node against the built package; that of C# is not run.
    expect(new Set(languages)).toEqual(new Set(['js', 'csharp', ...Object.keys(recipes)]));
  });
});
