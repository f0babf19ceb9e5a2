// The options of a client, and the variables of the environment that replace them. Checked once, before any request.
import type { Fetch } from '../core/http.ts';
import { type Retry, type RetryOptions, readRetry } from '../core/retry.ts';
import { headerValue } from './encode.ts';

/**
 * The options of all API clients. In Node, the environment supplies the missing ones: `PLATFORM_TOKEN`,
 * `PLATFORM_WORKSPACE_ID`, `PLATFORM_BOT_ID`, `PLATFORM_INTEGRATION_ID`, `PLATFORM_API_URL`.
 */
export interface ClientOptions {
  /** A token of a member, a bot or an integration. It is a secret: do not use it in a public page. */
  token?: string | undefined;
  /** For the Admin API: the workspace of the token. */
  workspaceId?: string | undefined;
  /** For the Files, Tables and Runtime APIs: the bot that the requests are about. */
  botId?: string | undefined;
  /** If an integration calls: its id and its alias. */
  integrationId?: string | undefined;
  integrationAlias?: string | undefined;
  /** The server: `https://HOST`, without `/v1`. In a page the default is the page's own origin. */
  apiUrl?: string | undefined;
  /** Sends the requests instead of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Sent with every request. They override the headers that the client sets. */
  headers?: Record<string, string> | undefined;
  /** The number of further attempts after a failure, or the retry options; 0 disables retries. */
  retry?: number | RetryOptions | undefined;
  /** Time limit of one attempt in milliseconds; default 60,000, `Infinity` for no limit. */
  timeout?: number | undefined;
}

/** The checked options with all defaults. */
export interface Settings {
  /** Without a slash at the end. */
  apiUrl: string;
  fetch: Fetch;
  /** True if `fetch` is the global one. */
  isGlobalFetch: boolean;
  /** Whether the browser sends cookies. */
  credentials: 'omit' | 'same-origin';
  /** Names in lower case. */
  headers: Record<string, string>;
  retry: Retry;
  timeoutMs: number;
}

/** Option -> the header that carries it. */
export const idHeaders = {
  token: 'authorization',
  workspaceId: 'x-workspace-id',
  botId: 'x-bot-id',
  integrationId: 'x-integration-id',
  integrationAlias: 'x-integration-alias',
} as const;

type Named = keyof typeof idHeaders | 'apiUrl';

/** Option -> its environment variable in Node. */
export const variables: Partial<Record<Named, string>> = {
  token: 'PLATFORM_TOKEN',
  workspaceId: 'PLATFORM_WORKSPACE_ID',
  botId: 'PLATFORM_BOT_ID',
  integrationId: 'PLATFORM_INTEGRATION_ID',
  apiUrl: 'PLATFORM_API_URL',
};

/**
 * `isOfSession`: the browser sends the cookie of a member who has signed in, and no token.
 * @throws TypeError (or RangeError for numbers) that names the option and how to correct it.
 */
export function readOptions(options: ClientOptions, isOfSession = false): Settings {
  const headers: Record<string, string> = {};
  for (const [name, header] of Object.entries(idHeaders) as [Named, string][]) {
    const value = isOfSession ? undefined : optionOf(options, name);
    if (!value) continue;
    const text = headerValue(name, value);
    headers[header] = name === 'token' ? `Bearer ${text}` : text;
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    headers[name.toLowerCase()] = headerValue(`headers: ${name}`, value);
  }
  if (!isOfSession && !headers.authorization) {
    throw new TypeError('token is missing: give it, or set PLATFORM_TOKEN.');
  }
  return {
    credentials: isOfSession ? 'same-origin' : 'omit',
    apiUrl: readAddress(optionOf(options, 'apiUrl') ?? ownOrigin()),
    // Bound when the client is created: a page may replace its fetch later, and an unbound fetch throws in browsers.
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    isGlobalFetch: options.fetch === undefined,
    headers,
    retry: readRetry(options.retry),
    timeoutMs: readTimeout(options.timeout),
  };
}

/** The option, or the environment variable. An empty option is an error and is not replaced by the variable. */
function optionOf(options: ClientOptions, name: Named): string | undefined {
  const value = options[name];
  if (value === '') throw new TypeError(`${name} must not be empty.`);
  const variable = variables[name];
  // An empty variable counts as missing.
  return value ?? ((variable && environment()[variable]) || undefined);
}

/** The environment of Node, Deno or Bun; empty in browsers. Read via globalThis: bundlers replace a bare `process`. */
function environment(): Record<string, string | undefined> {
  const { process } = globalThis as {
    process?: { versions?: { node?: string }; env?: Record<string, string | undefined> };
  };
  return (process?.versions?.node && process.env) || {};
}

function ownOrigin(): string {
  const { location } = globalThis as { location?: { origin: string } };
  // The origin of a local file or of a sandboxed page is "null".
  if (location && /^https?:/.test(location.origin)) return location.origin;
  throw new TypeError('apiUrl is missing: give it, or set PLATFORM_API_URL.');
}

function readAddress(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError('apiUrl must be a whole address, as https://HOST.');
  }
  // fetch refuses addresses with a user name or password; a query would be in the middle of every request address.
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new TypeError('apiUrl must be http or https, without a password, a query or a fragment.');
  }
  return url.href.replace(/\/+$/, '');
}

/** The longest delay of a timer: with a longer one it fires at once. */
export const maxTimerMs = 2 ** 31 - 1;

/** @throws RangeError for an invalid time. */
export function readTimeout(timeout = 60_000): number {
  if (!(timeout > 0)) throw new RangeError('timeout must be a number of milliseconds above 0.');
  return timeout > maxTimerMs ? Number.POSITIVE_INFINITY : timeout;
}
