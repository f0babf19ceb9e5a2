// Keeps the page of the command line up to date: `npm run generate` writes the parts that are derived from the
// definitions of the commands.
import { readFileSync } from 'node:fs';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { exampleOf, leavesOf, pathOf } from './command.ts';
import { connectionHeading, connectionTable } from './connection.ts';
import { createProgram } from './program.ts';
import { createIo } from './testing.ts';

/** Path of the page, from the root of the repository. */
const page = 'docs/reference/cli.md';

function commandMarkdown(command: CommandUnknownOpts): string {
  const rows = [
    ...command.registeredArguments
      .filter(({ description }) => description)
      .map((argument) => `| \`<${argument.name()}>\` | ${argument.description} |`),
    ...command.options
      .filter(({ helpGroupHeading }) => helpGroupHeading !== connectionHeading)
      .map(({ flags, description }) => `| \`${flags}\` | ${description} |`),
  ];
  const table = rows.length > 0 ? ['', '| | |', '|---|---|', ...rows] : [];
  const example = ['', '```sh', `npx platform-webchat ${exampleOf(command)}`, '```'];
  return [`### ${pathOf(command)}`, '', command.description(), ...table, ...example].join('\n');
}

const connectionRows = connectionTable.map(
  ({ flags, variable, doc }) => `| \`${flags}\` | ${variable ? `\`${variable}\`` : ''} | ${doc} |`,
);

const sections: Record<string, string> = {
  commands: leavesOf(createProgram(createIo())).map(commandMarkdown).join('\n\n'),
  connection: ['| Option | Variable | |', '|---|---|---|', ...connectionRows].join('\n'),
};

test(`${page} describes the commands of the program (npm run generate writes it)`, async () => {
  let text = readFileSync(page, 'utf8');
  for (const [name, section] of Object.entries(sections)) {
    const generated = new RegExp(`(<!-- ${name}: .* -->\n)[\\s\\S]*(<!-- /${name} -->\n)`);
    expect(text).toMatch(generated);
    text = text.replace(generated, (_, from, to) => `${from}${section}\n${to}`);
  }
  await expect(text).toMatchFileSnapshot(`../../${page}`);
});
