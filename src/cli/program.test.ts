// Tests of the command line: help, the version, and wrong command lines, which are refused in one line with a remedy.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../protocol/any-text.testing.ts';
import { leavesOf, pathOf } from './command.ts';
import { createProgram } from './program.ts';
import { createIo, run } from './testing.ts';

const split = (line: string) => line.split(' ').filter(Boolean);
const commands = leavesOf(createProgram(createIo()));

describe('help and version', () => {
  test.each(['', '--help', '-h', 'help'])('%j lists every command', async (line) => {
    const { code, stdout, stderr } = await run(split(line));
    expect([code, stderr]).toEqual([0, '']);
    for (const command of commands) expect(stdout).toContain(`\n  ${pathOf(command)} `);
    for (const text of stdout.split('\n')) expect(text.length).toBeLessThanOrEqual(100);
  });

  // The help of `serve` is printed by the server: spawn.integration.test.ts.
  test.each(commands.map(pathOf).filter((path) => path !== 'serve'))(
    '%s --help describes all its options',
    async (path) => {
      const { code, stdout } = await run([...split(path), '--help']);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`^Usage: platform-webchat ${path} `));
      const options = commands.find((one) => pathOf(one) === path)?.options ?? [];
      // Commands that work on a folder have no options of a connection.
      expect(options.length).toBeGreaterThan(['backup', 'restore', 'agents try'].includes(path) ? 0 : 3);
      for (const { flags } of options) expect(stdout).toContain(`  ${flags} `);
      expect(stdout).toContain(`\nExample: platform-webchat ${path} `.trimEnd());
    },
  );

  test('a group without a subcommand is refused with their names; with --help they are listed', async () => {
    const { code, stdout } = await run(['bots', '--help']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('\n  bots list ')]);
    expect(stdout).not.toContain('\n  serve');
    expect(await run(['bots'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Error: `bots` needs a subcommand: list, create, update, deploy, retention, delete.\n',
    });
  });

  test('--version prints the version of the package', async () => {
    expect(await run(['--version'])).toMatchObject({
      code: 0,
      stdout: `${JSON.parse(readFileSync('package.json', 'utf8')).version}\n`,
    });
  });
});

describe('a wrong command line prints one line with a remedy, and exits with code 2', () => {
  test.each([
    ['bot list', "Unknown command 'bot'. Did you mean bots? See `platform-webchat --help`."],
    ['snipet X', "Unknown command 'snipet'. Did you mean snippet? See `platform-webchat --help`."],
    ['bots fly', "Unknown command 'fly'. See `platform-webchat bots --help`."],
    ['xyz', "Unknown command 'xyz'. See `platform-webchat --help`."],
    ['constructor', "Unknown command 'constructor'. See `platform-webchat --help`."],
    ['bots list --toString', "Unknown option '--toString'. See `platform-webchat bots list --help`."],
    [
      'bots list --jso',
      "Unknown option '--jso'. Did you mean --json? See `platform-webchat bots list --help`.",
    ],
    ['bots list --json=1', "Option '--json' takes no value. See `platform-webchat bots list --help`."],
    ['bots list --url', 'A value is missing: --url <address>. See `platform-webchat bots list --help`.'],
    [
      'bots list --url --json',
      'A value is missing: --url <address>. See `platform-webchat bots list --help`.',
    ],
    [
      'bots list more',
      "Too many arguments for 'list'. Expected 0 arguments but got 1. See `platform-webchat bots list --help`.",
    ],
    ['snippet', "Missing required argument 'bot'. See `platform-webchat snippet --help`."],
    [
      'snippet a b',
      "Too many arguments for 'snippet'. Expected 1 argument but got 2. See `platform-webchat snippet --help`.",
    ],
    ['bots list', 'The token is missing. Set PLATFORM_TOKEN, or name a file with --token-file.'],
    ['bots list --token-file /nowhere', '--token-file: /nowhere cannot be read (ENOENT).'],
    [
      'bots list --token-file -',
      'The token is missing. Set PLATFORM_TOKEN, or name a file with --token-file.',
    ],
    ['bots list --token a --token-file b', 'Pass either --token or --token-file, not both.'],
  ])('%s is refused', async (line, message) => {
    expect(await run(split(line))).toEqual({ code: 2, stdout: '', stderr: `Error: ${message}\n` });
  });

  test.each([
    [
      { PLATFORM_TOKEN: 'x' },
      /^Error: The workspace is missing\. Set PLATFORM_WORKSPACE_ID, or pass its id or its name with --workspace\.\n$/,
    ],
    [
      { PLATFORM_TOKEN: 'x', PLATFORM_WORKSPACE_ID: 'w', PLATFORM_API_URL: 'nonsense' },
      /^Error: apiUrl [^\n]*\n$/,
    ],
    [{ PLATFORM_TOKEN: 'x\ny', PLATFORM_WORKSPACE_ID: 'w' }, /^Error: token [^\n]*\n$/],
  ])('the environment %j is refused', async (env, message) => {
    const { code, stdout, stderr } = await run(['bots', 'list'], { env });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
});

test.each(['--tokn=secret', '-tsecret', '--token=secret --jso', '--json=secret'])(
  'a token in a wrong option is not repeated: %s',
  async (line) => {
    const { code, stderr } = await run(['bots', 'list', ...split(line)]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^Error: (Unknown o|O)ption '-/)]);
    expect(stderr).not.toContain('secret');
  },
);

test('arbitrary arguments print help, a missing token, or an error in one line', async () => {
  const names = commands.flatMap((one) => pathOf(one).split(' ')).filter((name) => name !== 'serve');
  const words = [...names, '--json', '--url', '--bot', '--yes', '--', '-', '--help', '-abc', '--version'];
  const argument = fc.oneof(fc.constantFrom(...words), anyText());
  await fc.assert(
    fc.asyncProperty(fc.array(argument, { maxLength: 6 }), async (args) => {
      const { code, stderr } = await run(args);
      if (code === 0) expect(stderr).toBe('');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: an error must not contain them.
      else expect(stderr).toMatch(/^Error: [^\u0000-\u001f\u007f-\u009f]+\n$/);
    }),
  );
});
