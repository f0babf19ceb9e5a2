// `users export|delete`: the data of one visitor of a bot, as JSON lines, and its deletion.
import { open } from 'node:fs/promises';
import { findBot } from './bots.ts';
import { command } from './command.ts';
import { CliError, UsageError } from './errors.ts';

const bot = { value: 'BOT', doc: 'The bot: its id, or its name.' } as const;
const parameter = {
  name: 'USER',
  doc: 'The visitor: the id that your application gave, or that of the server.',
};

export const exportUser = command({
  name: 'users export',
  summary:
    'Writes all that the server has of a visitor as JSON lines: one object with a `type` in each line.',
  needs: 'workspace',
  parameter,
  options: {
    bot,
    out: { value: 'FILE', doc: 'Writes to a new file, in the place of stdout.' },
  },
  example: 'users export customer-7 --bot Support --out customer-7.jsonl',
  async run({ io, parameter, options, connect }) {
    const asked = needBot(options.bot);
    const client = await connect();
    const { signal } = io;
    const { id } = await findBot(client, asked, signal);
    // Asked before the file is made: for an unknown visitor there is none.
    let page = await client.exportVisitor({ id, userId: parameter }, { signal });
    const file = options.out === undefined ? undefined : await makeFile(options.out);
    try {
      for (;;) {
        for (const item of page.items) {
          const line = `${JSON.stringify(item)}\n`;
          if (file) await file.write(line);
          else io.stdout.write(line);
        }
        const { nextToken } = page.meta;
        if (nextToken === undefined) break;
        page = await client.exportVisitor({ id, userId: parameter, nextToken }, { signal });
      }
    } finally {
      await file?.close();
    }
  },
});

export const deleteUser = command({
  name: 'users delete',
  summary: 'Deletes a visitor with their files and the conversations they own. It cannot be undone.',
  needs: 'workspace',
  parameter,
  options: { bot, yes: { doc: 'Confirms it; without it nothing is deleted.' } },
  example: 'users delete customer-7 --bot Support --yes',
  async run({ io, parameter, options, connect }) {
    const asked = needBot(options.bot);
    if (!options.yes) throw new UsageError('The visitor would be deleted with all their data: say --yes.');
    const client = await connect();
    const { id } = await findBot(client, asked, io.signal);
    await client.deleteVisitor({ id, userId: parameter }, { signal: io.signal });
    io.stderr.write('The visitor is deleted. Their data leaves the server within five minutes.\n');
  },
});

function needBot(asked: string | undefined): string {
  if (asked) return asked;
  throw new UsageError('Say by --bot whose visitor is meant.');
}

async function makeFile(path: string) {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new CliError(
      `${path}: ${code === 'EEXIST' ? 'the file is there already' : `cannot be made (${code})`}.`,
    );
  }
}
