// What can go wrong, in one line with its cure, and the exit code. It prints nothing.
import { ApiError, NetworkError } from '../client/index.ts';

/** The exit codes, for people and scripts. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  /** As shells have it: 128 and the number of SIGINT. */
  stopped: 130,
} as const;

/** Something failed that the message says how to mend, in one line. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exitCode: number = exitCodes.failed;
}

/** The command line is wrong, or something is missing on it. */
export class UsageError extends CliError {
  override name = 'UsageError';
  override readonly exitCode = exitCodes.usage;
}

/** The line to print for anything that was thrown, and the exit code. `apiUrl`: the server that was asked, if any. */
export function explain(error: unknown, apiUrl = ''): { line: string; exitCode: number } {
  if (error instanceof CliError) return { line: error.message, exitCode: error.exitCode };
  return { line: reasonOf(error, apiUrl), exitCode: exitCodes.failed };
}

/** What an error says, on one line, with what can be done about it. */
export function reasonOf(error: unknown, apiUrl = ''): string {
  // A file that was not sent: what lies behind it says more.
  const inner = (error as { innerError?: unknown }).innerError;
  if (inner !== undefined) return reasonOf(inner, apiUrl);
  if (error instanceof NetworkError) {
    return `No answer from ${apiUrl}: ${oneLine(error.message)} See that the server runs (\`platform-webchat serve\`) and that --url is right.`;
  }
  if (error instanceof ApiError) {
    return [oneLine(error.message), detailsOf(error), cureOf(error)].filter(Boolean).join(' ');
  }
  return oneLine(error instanceof Error ? error.message : String(error));
}

/** Type of error -> what to do. */
const cures: Record<string, string> = {
  Unauthorized:
    'Set PLATFORM_TOKEN and PLATFORM_WORKSPACE_ID (or PLATFORM_BOT_ID) to what belongs together: the first start of the server prints them.',
  Forbidden: 'Take a token of somebody who may, or ask an administrator for another role.',
  RateLimited: 'Wait a minute, or raise RATE_LIMIT of the server.',
  InsufficientStorage: 'Free disk space on the server, or lower DISK_RESERVE_BYTES.',
};

function cureOf({ type, code, id }: ApiError): string {
  const inLog = code >= 500 && id ? `The log of the server says more, at ${id}.` : '';
  return cures[type] ?? inLog;
}

/** Which field is wrong, of a body that was refused. */
function detailsOf({ metadata }: ApiError): string {
  const issues = Array.isArray(metadata?.issues) ? (metadata.issues as unknown[]) : [];
  const told = issues.slice(0, 3).map((issue) => {
    const { path = '', message = '' } = Object(issue) as { path?: unknown; message?: unknown };
    return `${Array.isArray(path) ? path.join('.') : path}: ${message}`;
  });
  return told.length > 0 ? `(${oneLine(told.join('; '))})` : '';
}

/** Without line breaks, and without what moves a terminal's cursor: some of it is the server's words. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}
