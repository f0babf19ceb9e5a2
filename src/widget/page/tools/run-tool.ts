// Runs a tool of the page: checks the input before, and reads the result, which can be anything. Never rejects.

import { clientLimits } from '../../../protocol/interrupts.ts';
import { findIssue, isDeeper } from '../../../protocol/json-schema.ts';
import type { ClientToolAnswer } from '../../../protocol/types/interrupts.ts';
import type { KnownTool } from './read-tool.ts';

/** Levels of a result: a body is nested in at most a hundred. */
const maxDepth = 64;

/** @param signal aborted when nobody waits for the result any more. */
export async function runTool(
  { execute, sent: { inputSchema = {} } }: KnownTool,
  input: unknown,
  signal: AbortSignal,
): Promise<ClientToolAnswer> {
  const end = new AbortController();
  try {
    signal.throwIfAborted();
    // A copy, which the page can change.
    const inputCopy: unknown = JSON.parse(JSON.stringify(input ?? {}));
    const issue = findIssue(inputSchema, inputCopy);
    if (issue) return { error: `The input is not valid: ${issue}.`.slice(0, clientLimits.error) };
    const ended = new Promise<never>((_, reject) => {
      const timer = setTimeout(
        () =>
          reject(new Error('The tool has not ended in time. It is not known whether it has had an effect.')),
        clientLimits.runTime,
      );
      end.signal.addEventListener('abort', () => clearTimeout(timer));
      signal.addEventListener('abort', () => reject(signal.reason), { signal: end.signal });
    });
    const running = (async () => execute(inputCopy, { signal: end.signal }))();
    return { result: readResult(await Promise.race([running, ended])) };
  } catch (error) {
    return { error: messageOf(error) };
  } finally {
    end.abort();
  }
}

function messageOf(error: unknown): string {
  try {
    const { message } = Object(error) as { message?: unknown };
    return String(message ?? error).slice(0, clientLimits.error) || 'The tool has failed.';
  } catch {
    return 'The tool has failed.';
  }
}

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

/** Returns the result as a JSON value; the beginning of a long one as a text. Throws if it is not a JSON value. */
export function readResult(result: unknown): unknown {
  const json = JSON.stringify(result) as string | undefined;
  if (json === undefined) return null;
  const most = clientLimits.resultBytes;
  if (new TextEncoder().encode(json).length <= most) {
    const value: unknown = JSON.parse(json);
    if (isDeeper(value, maxDepth)) throw new Error(`The result has more than ${maxDepth} levels.`);
    return value;
  }
  // No character has more than 6 bytes as JSON, and none less than one.
  let text = (typeof result === 'string' ? result : json).slice(0, most);
  for (let bytes = bytesOf(text); bytes > most - 10; bytes = bytesOf(text))
    text = text.slice(0, Math.floor((text.length * (most - 10)) / bytes));
  return `${text.replace(/[\ud800-\udbff]$/, '')}…`;
}
