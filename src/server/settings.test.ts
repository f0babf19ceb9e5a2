// Settings: what is read, what is refused in one line, and that the documentation tells the same.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { help, readSettings, settingsMarkdown, settingsTable } from './settings.ts';

test('unset and blank settings have their defaults', () => {
  expect(readSettings({ PORT: ' ', UNKNOWN: 'x' })).toEqual({
    PORT: 3000,
    HOST: '127.0.0.1',
    PUBLIC_URL: undefined,
    DATA_DIR: './data',
    USER_KEY_SECRET: undefined,
    USER_KEYS: 'issued',
    WEBHOOK_ID: 'demo',
    WEBHOOK_PRIVATE: 'allow',
    BOT: undefined,
    CONFIGURATION: undefined,
    ADMIN_TOKEN: undefined,
    ALLOWED_ORIGINS: undefined,
    MAX_FILE_BYTES: 100_000_000,
    FILE_TYPES: undefined,
    RETENTION_DAYS: 0,
    RATE_LIMIT: 600,
    MAX_CONNECTIONS: 10_000,
    TRUST_PROXY: 0,
    LOG_LEVEL: 'info',
  });
});

test('values are read', () => {
  const read = readSettings({
    PORT: '0',
    ALLOWED_ORIGINS: 'https://a.example, http://b.example:8080,null',
    PUBLIC_URL: 'https://chat.example/',
    MAX_FILE_BYTES: '1000000000',
    FILE_TYPES: 'Image/*, application/pdf',
  });
  expect(read.PORT).toBe(0);
  expect(read.ALLOWED_ORIGINS).toEqual(['https://a.example', 'http://b.example:8080', 'null']);
  expect([read.MAX_FILE_BYTES, read.FILE_TYPES]).toEqual([1_000_000_000, ['image/*', 'application/pdf']]);
  expect(read.PUBLIC_URL).toBe('https://chat.example');
});

test.each([
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '3000x'],
  ['HOST', 'a b'],
  ['PUBLIC_URL', 'chat.example'],
  ['USER_KEY_SECRET', 'short'],
  ['USER_KEYS', 'both'],
  ['WEBHOOK_ID', 'a/b'],
  ['ADMIN_TOKEN', 'x'.repeat(31)],
  ['ADMIN_TOKEN', 'x'.repeat(1_001)],
  ['ADMIN_TOKEN', `${'x'.repeat(40)} ${'x'.repeat(40)}`],
  ['ADMIN_TOKEN', 'é'.repeat(40)],
  ['ALLOWED_ORIGINS', 'https://a.example/path'],
  ['ALLOWED_ORIGINS', '*'],
  ['MAX_FILE_BYTES', '0'],
  ['MAX_FILE_BYTES', '1000000001'],
  ['MAX_FILE_BYTES', '100 MB'],
  ['RETENTION_DAYS', '-1'],
  ['RETENTION_DAYS', 'never'],
  ['FILE_TYPES', 'png'],
  ['FILE_TYPES', 'image/*,'],
  ['FILE_TYPES', '*/*'],
  ['RATE_LIMIT', '-1'],
  ['RATE_LIMIT', '10000000'],
  ['RATE_LIMIT', '1.5'],
  ['MAX_CONNECTIONS', '0'],
  ['MAX_CONNECTIONS', '1e3'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '10'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s is refused in one line that names it', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} must [^\\n]+\\.$`));
});

test('--help and docs/self-hosting.md list every setting', async () => {
  for (const name of Object.keys(settingsTable)) expect(help()).toContain(`  ${name} `);
  const page = await readFile(new URL('../../docs/self-hosting.md', import.meta.url), 'utf8');
  expect(page).toContain(settingsMarkdown());
});
