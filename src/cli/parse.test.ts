// The command line: whatever is typed, it is a command, help, or one line that says what is wrong and what to do.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commands } from './commands.ts';
import { UsageError } from './errors.ts';
import { optionsOf, readCommandLine } from './parse.ts';
import { run } from './testing.ts';

const words = (line: string) => line.split(' ').filter(Boolean);

describe('help and version', () => {
  test.each(['', '--help', '-h', 'help'])('%j lists every command', async (line) => {
    const { code, stdout, stderr } = await run(words(line));
    expect([code, stderr]).toEqual([0, '']);
    for (const { name, parameter } of commands) {
      expect(stdout).toContain(`\n  ${name}${parameter ? ` ${parameter.name}` : ''} `);
    }
    for (const text of stdout.split('\n')) expect(text.length).toBeLessThan(120);
  });

  // The help of `serve` is the server's: spawn.test.ts.
  test.each(commands.flatMap(({ name, run }) => (run ? name : [])))(
    '%s --help says all that it takes',
    async (name) => {
      const { code, stdout } = await run([...words(name), '--help']);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Usage: platform-webchat /);
      const found = commands.find((one) => one.name === name);
      for (const option of Object.keys(found ? optionsOf(found) : {}))
        expect(stdout).toContain(`  --${option}`);
    },
  );

  test('a group alone says which words it has, and shows them with --help', async () => {
    const { code, stdout } = await run(['bots', '--help']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('bots list')]);
    expect(stdout).not.toContain('\n  serve');
    expect(await run(['bots'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/needs one of these words: .*list/),
    });
  });

  test('--version', async () => {
    expect(await run(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});

describe('a wrong command line is one line with the cure, and exit code 2', () => {
  test.each([
    ['bot list', 'There is no command `bot`. Did you mean `bots list`? `platform-webchat --help` lists all.'],
    [
      'snipet X',
      'There is no command `snipet`. Did you mean `snippet`? `platform-webchat --help` lists all.',
    ],
    ['bots fly', 'There is no command `bots fly`. `platform-webchat --help` lists all.'],
    ['xyz', 'There is no command `xyz`. `platform-webchat --help` lists all.'],
    ['constructor', 'There is no command `constructor`. `platform-webchat --help` lists all.'],
    [
      'bots list --toString',
      '`bots list` has no option --toString. `platform-webchat bots list --help` says more.',
    ],
    ['bots list --json=1', '--json takes no value. `platform-webchat bots list --help` says more.'],
    ['bots list --url', '--url needs a value: --url ADDRESS. `platform-webchat bots list --help` says more.'],
    [
      'bots list --url --json',
      '--url needs a value: --url ADDRESS. `platform-webchat bots list --help` says more.',
    ],
    [
      'bots list --url=',
      '--url needs a value: --url ADDRESS. `platform-webchat bots list --help` says more.',
    ],
    ['bots list -x', '`bots list` has no option -x. `platform-webchat bots list --help` says more.'],
    ['bots list more', "'more' is one word too many. `platform-webchat bots list --help` says more."],
    ['snippet', '`snippet` needs BOT. `platform-webchat snippet --help` says more.'],
    ['snippet a b', "'b' is one word too many. `platform-webchat snippet --help` says more."],
    ['bots list', 'There is no token: set PLATFORM_TOKEN, or give a file with it by --token-file.'],
    ['bots list --token-file /nowhere', '--token-file: /nowhere cannot be read (ENOENT).'],
    [
      'bots list --token-file -',
      'There is no token: set PLATFORM_TOKEN, or give a file with it by --token-file.',
    ],
    ['bots list --token a --token-file b', 'Give --token or --token-file, not both.'],
  ])('%s', async (line, said) => {
    expect(await run(words(line))).toEqual({ code: 2, stdout: '', stderr: `Error: ${said}\n` });
  });

  test.each([
    [
      { PLATFORM_TOKEN: 'x' },
      /^Error: There is no workspace: set PLATFORM_WORKSPACE_ID, or give its id by --workspace\.\n$/,
    ],
    [
      { PLATFORM_TOKEN: 'x', PLATFORM_WORKSPACE_ID: 'w', PLATFORM_API_URL: 'nonsense' },
      /^Error: apiUrl [^\n]*\n$/,
    ],
    [{ PLATFORM_TOKEN: 'x\ny', PLATFORM_WORKSPACE_ID: 'w' }, /^Error: token [^\n]*\n$/],
  ])('%j', async (env, said) => {
    const { code, stdout, stderr } = await run(['bots', 'list'], { env });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(said);
  });
});

test('options may stand anywhere; the last of two counts', () => {
  const asked = readCommandLine(['snippet', '--url', 'http://a', 'My bot', '--url=http://b'], commands);
  expect(asked).toMatchObject({ kind: 'run', parameter: 'My bot', values: { url: 'http://b' } });
});

test('what comes after -- is a word, whatever it looks like', () => {
  expect(readCommandLine(['snippet', '--', '--name'], commands)).toMatchObject({ parameter: '--name' });
});

test('any words at all: read, or refused in one line', () => {
  const known = [
    ...commands.flatMap(({ name }) => name.split(' ')),
    '--json',
    '--url',
    '--',
    '-',
    '--help',
    '-abc',
  ];
  const word = fc.oneof(fc.constantFrom(...known), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (args) => {
      try {
        expect(['help', 'version', 'run', 'pass']).toContain(readCommandLine(args, commands).kind);
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
      }
    }),
  );
});
