// Keeps docs/reference/cli.md up to date: `npx vitest -u` writes what is derived from the table of commands.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { commandsMarkdown, connectionMarkdown } from './help.ts';

const parts: Record<string, string> = {
  commands: commandsMarkdown(commands),
  connection: connectionMarkdown(),
};

test('docs/reference/cli.md has the commands of today', async () => {
  let page = readFileSync('docs/reference/cli.md', 'utf8');
  for (const [name, text] of Object.entries(parts)) {
    const generated = new RegExp(`(<!-- ${name}: .* -->\n)[\\s\\S]*(<!-- /${name} -->\n)`);
    expect(page).toMatch(generated);
    page = page.replace(generated, (_, from, to) => `${from}${text}\n${to}`);
  }
  await expect(page).toMatchFileSnapshot('../../docs/reference/cli.md');
});
