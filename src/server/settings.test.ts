// Tests of the settings: parsing, one-line errors, and the generated documentation.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAgent } from './bots/index.ts';
import { modelOf } from './composition/server.ts';
import { readSettings, settingsTable } from './composition/settings.ts';
import { help, settingsMarkdown } from './flags.ts';
import { quotaSettings } from './limits/settings.ts';
import { readMail, readPush } from './notifications/settings.ts';
import { readOidc } from './session/index.ts';

test('settings: unset and blank ones have their defaults, and unknown ones are left out', () => {
  const read = readSettings({ PORT: ' ', UNKNOWN: 'x' });
  expect(read).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    PUBLIC_URL: undefined,
    DEV_ERRORS: 'off',
    USER_KEYS: 'issued',
    ANONYMOUS_USER_IDS: 'refuse',
    USER_KEY_LIFETIME: 0,
    PARTICIPANTS: 'invited',
    WEBHOOK_PRIVATE: 'refuse',
    EMBEDDINGS_MIN_SIMILARITY: 0.2,
    AGENT_HEADERS: {},
    AGENT_SHOW: ['status', 'tools', 'sources'],
    ...Object.fromEntries(
      Object.entries(quotaSettings).map(([name, row]) => [
        name,
        Number((row as { default: string }).default),
      ]),
    ),
    TRUST_PROXY: 0,
  });
  expect(read).not.toHaveProperty('UNKNOWN');
});

test('settings: values are parsed', () => {
  const read = readSettings({
    PORT: '0',
    ALLOWED_ORIGINS: 'https://a.example, http://b.example:8080,null',
    PUBLIC_URL: 'https://chat.example/',
    USER_KEY_LIFETIME: '60',
    MAX_FILE_BYTES: '1073741824',
    FILE_TYPES: 'Image/*, application/pdf',
    EMBEDDINGS_URL: 'https://api.example/v1/',
    EMBEDDINGS_MIN_SIMILARITY: '0.35',
    MAIL_FROM: 'Webchat <webchat@example.com>',
    OIDC_JOIN: 'Example.com:developer, partner.example:viewer',
  });
  expect(read.MAIL_FROM).toBe('Webchat <webchat@example.com>');
  expect(read.OIDC_JOIN).toEqual([
    { domain: 'example.com', role: 'developer' },
    { domain: 'partner.example', role: 'viewer' },
  ]);
  expect([read.EMBEDDINGS_URL, read.EMBEDDINGS_MIN_SIMILARITY]).toEqual([
    'https://api.example/v1/embeddings',
    0.35,
  ]);
  const withQuery = readSettings({ EMBEDDINGS_URL: 'https://a.example/x/embeddings?api-version=1' });
  expect(withQuery.EMBEDDINGS_URL).toBe('https://a.example/x/embeddings?api-version=1');
  expect(read.PORT).toBe(0);
  expect(read.USER_KEY_LIFETIME).toBe(60);
  expect(read.ALLOWED_ORIGINS).toEqual(['https://a.example', 'http://b.example:8080', 'null']);
  expect([read.MAX_FILE_BYTES, read.FILE_TYPES]).toEqual([1_073_741_824, ['image/*', 'application/pdf']]);
  expect(read.PUBLIC_URL).toBe('https://chat.example');
});

test.each([
  ['PORT', '65536'],
  ['PORT', '3000x'],
  ['HOST', 'a b'],
  ['PUBLIC_URL', 'chat.example'],
  ['USER_KEY_SECRET', 'short'],
  ['USER_KEY_SECRET', 'a'.repeat(16)],
  ['USER_KEY_SECRET', 'passwordpassword'],
  ['USER_KEY_SECRET_PREVIOUS', 'short'],
  ['ADMIN_TOKEN', 'changeme-changeme-changeme-changeme'],
  ['USER_KEYS', 'both'],
  ['ANONYMOUS_USER_IDS', 'yes'],
  ['USER_KEY_LIFETIME', '59'],
  ['USER_KEY_LIFETIME', '1000000000'],
  ['WEBHOOK_ID', 'a/b'],
  ['PARTICIPANTS', 'open'],
  ['ADMIN_TOKEN', 'x'.repeat(31)],
  ['ADMIN_TOKEN', `${randomBytes(20).toString('hex')} ${randomBytes(20).toString('hex')}`],
  ['WORKSPACES', 'everybody'],
  ['SMTP_URL', 'https://mail.example.com'],
  ['PUSH_CONTACT', 'http://example.com'],
  ['PUSH_TEXT', 'yes'],
  ['PUSH_HOSTS', 'https://push.example.com'],
  ['MAIL_FROM', 'A <a@example.com>, B <b@example.com>'],
  ['OIDC_ISSUER', 'http://login.example.com'],
  ['OIDC_JOIN', 'example.com'],
  ['OIDC_JOIN', 'example.com:owner'],
  ['AUDIT_RETENTION_DAYS', '0'],
  ['ALLOWED_ORIGINS', 'https://a.example/path'],
  ['ALLOWED_ORIGINS', '*'],
  ['PROOF_OF_WORK', '25'],
  ['EMBEDDINGS_URL', 'ftp://example.com'],
  ['EMBEDDINGS_URL', 'https://user:secret@example.com/v1'],
  ['EMBEDDINGS_MODEL', 'a model'],
  ['EMBEDDINGS_MIN_SIMILARITY', '1'],
  ['MAX_FILE_BYTES', '0'],
  ['MAX_FILE_BYTES', '1073741825'],
  ['RETENTION_DAYS', '-1'],
  ['FILE_TYPES', 'png'],
  ['FILE_TYPES', '*/*'],
  ['RATE_LIMIT', '10000000'],
  ['AGENT', 'ftp://models.example/v1'],
  ['AGENT', 'https://name:password@models.example/v1'],
  ['AGENT_PROTOCOL', 'openai'],
  ['AGENT_HEADERS', 'X-Team: support'],
  ['AGENT_HEADERS', '{"Host": "models.example"}'],
  ['AGENT_HEADERS', '{"X-Team": 7}'],
  ['AGENT_HEADERS', '{"X-Team": "a\\r\\nX-Admin: 1"}'],
  ['AGENT_SHOW', 'text'],
  ['AGENT_TOKENS_PER_DAY', 'many'],
  ['AGENT_TIMEOUT', '301'],
  ['AGENT_KNOWLEDGE', 'Help,'],
  ['AGENT_KEY', 'two words'],
  ['AGENT_OPTIONS', 'temperature=0'],
  ['QUOTA_USER_BYTES', '1 GB'],
  ['DISK_RESERVE_BYTES', '1e9'],
  ['MAX_CONNECTIONS', '0'],
  ['TRUST_PROXY', '10'],
  ['LOG_LEVEL', 'loud'],
  ['DEV_ERRORS', 'true'],
  ['WEBCHAT_KEEP_VERSIONS', '-1'],
  ['USER_KEY_SECRETS', '5d41402abc4b2a76b9719d911017c592,short'],
  ['USER_KEY_SECRETS', 'passwordpassword,5d41402abc4b2a76b9719d911017c592'],
  ['USER_KEY_SECRETS', '5d41402abc4b2a76b9719d911017c592,5d41402abc4b2a76b9719d911017c592'],
])('settings: %s=%s is rejected with one line that names it', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} must [^\\n]+\\.$`));
});

test('settings: an agent has an address, a protocol by its path, and a name of a model', async () => {
  const read = (settings: Record<string, string>) => readAgent(readSettings(settings));
  const environment = { AGENT: 'http://127.0.0.1:11434/v1', AGENT_MODEL: 'llama3.2', AGENT_KEY: 'k' };
  const agent = await read({
    ...environment,
    AGENT_OPTIONS: '{"temperature":0}',
    AGENT_HEADERS: '{"X-Team":"a b"}',
  });
  expect(agent).toMatchObject({
    url: environment.AGENT,
    protocol: 'openai-chat',
    key: 'k',
    model: 'llama3.2',
    headers: { 'X-Team': 'a b' },
    options: { temperature: 0 },
    show: ['status', 'tools', 'sources'],
  });
  // The same model computes columns of tables.
  expect(modelOf(agent)).toEqual({
    url: environment.AGENT,
    key: 'k',
    headers: { 'X-Team': 'a b' },
    model: 'llama3.2',
    options: { temperature: 0 },
  });
  expect((await read({ ...environment, AGENT: 'https://x.example/a/chat/completions?v=1' }))?.url).toContain(
    '?v=1',
  );
  expect((await read({ ...environment, AGENT_SHOW: 'none' }))?.show).toEqual([]);
  expect((await read({ ...environment, AGENT_SHOW: 'tools, tool-input' }))?.show).toEqual([
    'tools',
    'tool-input',
  ]);
  expect(await read({ AGENT_MODEL: 'm' })).toBeUndefined();
  expect(modelOf(undefined)).toBeUndefined();
  await expect(read({ AGENT: environment.AGENT })).rejects.toThrow(/^AGENT_MODEL is required/);
  for (const url of ['https://agents.example/', 'https://agents.example', 'https://agents.example/v1x'])
    await expect(read({ AGENT: url })).rejects.toThrow(
      'AGENT_PROTOCOL is required with this address of AGENT: openai-chat, openai-responses, ag-ui or ai-sdk.',
    );
});

test('settings: instructions for an agent are a file of at most 16,000 characters', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'settings-'));
  const path = join(folder, 'instructions.md');
  const environment = { AGENT: 'http://127.0.0.1/v1', AGENT_MODEL: 'm', AGENT_INSTRUCTIONS: path };
  const read = () => readAgent(readSettings(environment));
  await expect(read()).rejects.toThrow(`AGENT_INSTRUCTIONS: the file ${path} cannot be read.`);
  await writeFile(path, '  Be kind.\n');
  expect((await read())?.instructions).toBe('Be kind.');
  await writeFile(path, 'x'.repeat(16_001));
  await expect(read()).rejects.toThrow('16001 characters; the limit is 16000');
  await rm(folder, { recursive: true });
});

test('settings: random secrets are accepted, and a weak one as the previous secret', () => {
  const make = [
    () => randomBytes(16).toString('hex'),
    () => randomBytes(32).toString('hex'),
    () => randomBytes(16).toString('base64'),
    () => randomBytes(32).toString('base64url'),
  ];
  for (const secret of make.flatMap((one) => Array.from({ length: 200 }, one))) {
    expect(readSettings({ USER_KEY_SECRET: secret }).USER_KEY_SECRET).toBe(secret);
    if (secret.length >= 32) expect(readSettings({ ADMIN_TOKEN: secret }).ADMIN_TOKEN).toBe(secret);
  }
  const previous = 'passwordpassword';
  expect(readSettings({ USER_KEY_SECRET_PREVIOUS: previous }).USER_KEY_SECRET_PREVIOUS).toBe(previous);
  const secret = randomBytes(32).toString('hex');
  const list = readSettings({ USER_KEY_SECRETS: `${secret}, ${previous},another secret of before` });
  expect(list.USER_KEY_SECRETS).toEqual([secret, previous, 'another secret of before']);
});

test('settings: --help and docs/reference/settings.md list every one (npm run generate writes the page)', async () => {
  for (const name of Object.keys(settingsTable)) expect(help()).toContain(`  ${name} `);
  const page = await readFile(new URL('../../docs/reference/settings.md', import.meta.url), 'utf8');
  const generated = /(<!-- settings: .* -->\n)[\s\S]*(<!-- \/settings -->\n)/;
  expect(page).toMatch(generated);
  const current = page.replace(generated, (_, from, to) => `${from}\n${settingsMarkdown()}\n\n${to}`);
  await expect(current).toMatchFileSnapshot('../../docs/reference/settings.md');
});

test('settings: mails, pushes and another service to sign in need the public address', () => {
  const mail = {
    SMTP_URL: 'smtp://mail.example.com',
    MAIL_FROM: 'a@example.com',
    PUBLIC_URL: undefined,
    ANSWER_MAIL_DELAY: 5,
  };
  expect(() => readMail({ ...mail, MAIL_FROM: undefined })).toThrow('SMTP_URL needs MAIL_FROM');
  expect(() => readMail(mail)).toThrow('SMTP_URL needs PUBLIC_URL');
  expect(readMail({ ...mail, SMTP_URL: undefined })).toBeUndefined();
  expect(() => readPush(readSettings({ PUSH_CONTACT: 'mailto:a@example.com' }))).toThrow('needs PUBLIC_URL');
  const settings = readSettings({ OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'webchat' });
  expect(() => readOidc(settings)).toThrow('OIDC_ISSUER needs PUBLIC_URL');
  expect(() => readOidc({ ...settings, OIDC_CLIENT_ID: undefined })).toThrow(
    'OIDC_ISSUER needs OIDC_CLIENT_ID',
  );
  expect(readOidc({ ...settings, PUBLIC_URL: 'https://chat.example.com' })).toMatchObject({
    name: 'login.example.com',
    join: [],
    isOnly: false,
  });
  expect(() => readOidc(readSettings({ OIDC_ONLY: 'on' }))).toThrow('OIDC_ONLY needs OIDC_ISSUER');
});
