// What a client is told when it is made, and what it takes from the environment; checked once, before any request.

import type { Fetch } from '../core/http.ts';
import { type Retry, type RetryOptions, readRetry } from '../core/retry.ts';
import { headerValue } from './encode.ts';

/**
 * What all clients of the platform's APIs take. In Node, what is left out is taken from the environment: `PLATFORM_TOKEN`,
 * `PLATFORM_WORKSPACE_ID`, `PLATFORM_BOT_ID`, `PLATFORM_INTEGRATION_ID`, `PLATFORM_API_URL`.
 */
export interface ClientOptions {
  /** A personal access token, a bot's or an integration's. It is a secret: none belongs into a public page. */
  token?: string | undefined;
  /** For the Admin API: the workspace that the token opens. */
  workspaceId?: string | undefined;
  /** For the Files, Tables and Runtime APIs: the bot whose things are meant. */
  botId?: string | undefined;
  /** When an integration calls: its id and its alias. */
  integrationId?: string | undefined;
  integrationAlias?: string | undefined;
  /** The server: `https://HOST`, without `/v1`. In a page the default is the page's own origin. */
  apiUrl?: string | undefined;
  /** What sends requests in the place of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Sent with every request, over those that the client makes itself. */
  headers?: Record<string, string> | undefined;
  /** Further attempts after a failure, or how they are made; 0 for none. */
  retry?: number | RetryOptions | undefined;
  /** Milliseconds that one attempt may take; default 60,000, `Infinity` for no limit. */
  timeout?: number | undefined;
}

/** The options, checked and whole. */
export interface Settings {
  /** Without a slash at the end. */
  apiUrl: string;
  fetch: Fetch;
  /** True when `fetch` is the platform's own. */
  isGlobalFetch: boolean;
  /** Names in small letters. */
  headers: Record<string, string>;
  retry: Retry;
  timeoutMs: number;
}

/** Option -> the header it is sent as. */
export const idHeaders = {
  token: 'authorization',
  workspaceId: 'x-workspace-id',
  botId: 'x-bot-id',
  integrationId: 'x-integration-id',
  integrationAlias: 'x-integration-alias',
} as const;

type Named = keyof typeof idHeaders | 'apiUrl';

/** Option -> its variable in Node. */
export const variables: Partial<Record<Named, string>> = {
  token: 'PLATFORM_TOKEN',
  workspaceId: 'PLATFORM_WORKSPACE_ID',
  botId: 'PLATFORM_BOT_ID',
  integrationId: 'PLATFORM_INTEGRATION_ID',
  apiUrl: 'PLATFORM_API_URL',
};

/** @throws TypeError (or RangeError for numbers) that names the option and the cure. */
export function readOptions(options: ClientOptions): Settings {
  const headers: Record<string, string> = {};
  for (const [name, header] of Object.entries(idHeaders) as [Named, string][]) {
    const value = given(options, name);
    if (!value) continue;
    const text = headerValue(name, value);
    headers[header] = name === 'token' ? `Bearer ${text}` : text;
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    headers[name.toLowerCase()] = headerValue(`headers: ${name}`, value);
  }
  if (!headers.authorization) throw new TypeError('token is missing: give it, or set PLATFORM_TOKEN.');
  return {
    apiUrl: readAddress(given(options, 'apiUrl') ?? ownOrigin()),
    // Bound early: a page may replace its fetch later, and an unbound fetch throws in browsers.
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    isGlobalFetch: options.fetch === undefined,
    headers,
    retry: readRetry(options.retry),
    timeoutMs: readTimeout(options.timeout),
  };
}

/** What the caller said, or Node's environment. An empty text that was said is a mistake, not a gap. */
function given(options: ClientOptions, name: Named): string | undefined {
  const value = options[name];
  if (value === '') throw new TypeError(`${name} must not be empty.`);
  const variable = variables[name];
  // A variable that is set to nothing is none.
  return value ?? ((variable && environment()[variable]) || undefined);
}

/** Node's, Deno's and Bun's environment; empty in browsers. No bundler is to see the word `process` standing alone. */
function environment(): Record<string, string | undefined> {
  const { process } = globalThis as {
    process?: { versions?: { node?: string }; env?: Record<string, string | undefined> };
  };
  return (process?.versions?.node && process.env) || {};
}

function ownOrigin(): string {
  const { location } = globalThis as { location?: { origin: string } };
  // A page of a file, or in a sandbox, has the origin "null".
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
  // fetch refuses addresses with a name and a password; a query would stand in the middle of every path.
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new TypeError('apiUrl must be http or https, without a password, a query or a fragment.');
  }
  return url.href.replace(/\/+$/, '');
}

/** The most that a timer takes: beyond it one fires at once. */
const longestMs = 2 ** 31 - 1;

/** @throws RangeError for what is not a time. */
export function readTimeout(timeout = 60_000): number {
  if (!(timeout > 0)) throw new RangeError('timeout must be a number of milliseconds above 0.');
  return timeout > longestMs ? Number.POSITIVE_INFINITY : timeout;
}
