// Turns anything that was thrown into one line with a remedy, and an exit code.
import { ApiError, NetworkError } from '../client/index.ts';

/** The exit codes, for people and scripts. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  /** The convention of shells: 128 plus the number of SIGINT. */
  stopped: 130,
} as const;

/** A failure with a message of one line that names the remedy. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exitCode: number = exitCodes.failed;
}

/** The command line is wrong or incomplete. */
export class UsageError extends CliError {
  override name = 'UsageError';
  override readonly exitCode = exitCodes.usage;
}

/** The line to print for anything that was thrown, and the exit code. `apiUrl`: the server of the command, if any. */
export function explain(error: unknown, apiUrl = ''): { line: string; exitCode: number } {
  if (error instanceof CliError) return { line: error.message, exitCode: error.exitCode };
  return { line: reasonOf(error, apiUrl), exitCode: exitCodes.failed };
}

/** The message of an error with its remedy, in one line. */
export function reasonOf(error: unknown, apiUrl = ''): string {
  // The error of a file that was not sent wraps the cause.
  const inner = (error as { innerError?: unknown }).innerError;
  if (inner !== undefined) return reasonOf(inner, apiUrl);
  if (error instanceof NetworkError) {
    return `No answer from ${apiUrl}: ${oneLine(error.message)} Check that the server runs (\`platform-webchat serve\`) and that --url is correct.`;
  }
  if (error instanceof ApiError) {
    return [oneLine(error.message), detailsOf(error), hintOf(error)].filter(Boolean).join(' ');
  }
  return oneLine(error instanceof Error ? error.message : String(error));
}

/** Type of error -> its remedy. */
const hints: Record<string, string> = {
  Unauthorized:
    'Set PLATFORM_TOKEN and PLATFORM_WORKSPACE_ID (or PLATFORM_BOT_ID) to values that belong together. The first start of the server prints them.',
  Forbidden: 'Use a token with this permission, or ask an administrator for another role.',
  RateLimited: 'Wait a minute, or raise RATE_LIMIT on the server.',
  InsufficientStorage: 'Free disk space on the server, or lower DISK_RESERVE_BYTES.',
};

function hintOf({ type, code, id }: ApiError): string {
  const inLog = code >= 500 && id ? `See the server log for ${id}.` : '';
  return hints[type] ?? inLog;
}

/** The rejected fields that the message of the error does not name. */
function detailsOf({ metadata, message: stated }: ApiError): string {
  const issues = Array.isArray(metadata?.issues) ? (metadata.issues as unknown[]) : [];
  const details = issues.slice(0, 3).flatMap((issue, index) => {
    const { path = '', message = '' } = Object(issue) as { path?: unknown; message?: unknown };
    // The message of the error is that of the first field.
    if (index === 0 && stated.includes(String(message))) return [];
    return `${Array.isArray(path) ? path.join('.') : path}: ${message}`;
  });
  return details.length > 0 ? `(${oneLine(details.join('; '))})` : '';
}

/** Removes line breaks and control characters, because some texts come from the server. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes them.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}
