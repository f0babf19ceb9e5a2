// `agents try`: sends one message to an agent and prints what a visitor would see of its answer.
import type { Part } from '../protocol/parts.ts';
import { createCommand } from './command.ts';
import { CliError, oneLine, UsageError } from './errors.ts';
import type { Io } from './io.ts';

export const tryAgent = (io: Io) =>
  createCommand('try', 'agents try --agent http://127.0.0.1:11434/v1 --agent-model llama3.2 --message Hello')
    .description(
      'Sends one message to an agent with the settings of `serve`, as flags or in the environment, and prints the answer as a visitor would see it. Use it to check the address, the model and the key.',
    )
    .option('--message <text>', 'The message.', 'Hello')
    .allowUnknownOption()
    .argument('[flags...]')
    .action(async (flags, { message }) => {
      const { tryAgentOfSettings } = await import('../server/run.ts');
      const { stdout, signal, env } = io;
      const onText = (delta: string) => stdout.write(printable(delta));
      const { text, parts, tokens, failure } = await tryAgentOfSettings({
        flags,
        env,
        message,
        signal,
        onText,
      }).catch((error: unknown) => {
        const { exitCode } = error as { exitCode?: unknown };
        if (exitCode === 2) throw new UsageError((error as Error).message);
        throw error;
      });
      if (text !== '') stdout.write('\n\n');
      for (const part of parts) stdout.write(`${lineOf(part)}\n`);
      stdout.write(`tokens     ${tokens}\n`);
      if (failure) throw new CliError(problemOf(failure));
    });

/** A text without the control characters that would change the terminal. */
const printable = (text: string): string => text.replace(/(?![\n\t])\p{Cc}/gu, '');

/** A part in one line. */
function lineOf(part: Part): string {
  const { type } = part;
  const row = (text: string) => `${type.padEnd(10)} ${oneLine(text)}`.trimEnd();
  switch (type) {
    case 'tool': {
      const { title, toolName, state, input, output } = part;
      const values = [input, output].map((value) => (value === undefined ? '' : ` ${JSON.stringify(value)}`));
      return row(`${title ?? toolName} ${state}${values.join(' ->')}`.replace(/ ->$/, ''));
    }
    case 'source':
      return row(`${part.title} ${part.url ?? ''}`);
    case 'block':
      return row(`${part.name} ${part.fallback}`);
    case 'suggestions':
      return row(part.items.map(({ label }) => label).join(', '));
    case 'interrupt':
      return row(part.message);
    default:
      return row(part.text ?? '');
  }
}

/** Remedy for a failure, by its status or its code. */
const remedies: Record<string, string> = {
  401: 'Check AGENT_KEY.',
  403: 'Check AGENT_KEY.',
  404: 'Check the address and the name of the model.',
  429: 'Its limit is reached; try again later.',
  ECONNREFUSED: 'Nothing listens at this address.',
  ENOTFOUND: 'The host of the address is not known.',
  timeout: 'It was silent for a minute.',
  content_type: 'The response is not a stream of events: check the address and AGENT_PROTOCOL.',
  incomplete: 'The response ended before the end of the answer: check AGENT_PROTOCOL.',
  empty: 'It wrote no text.',
};

function problemOf({ code, status }: { code: string; status: number | undefined }): string {
  const reason = status === undefined ? code : `status ${status}`;
  return `The agent gave no whole answer: ${reason}. ${remedies[status ?? code] ?? ''}`.trimEnd();
}
