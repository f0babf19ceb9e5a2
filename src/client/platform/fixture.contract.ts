// The fixture of the platform's contract: the server, clients for it, expected errors.
import { expect } from 'vitest';
import { ApiError, type Client, type ClientOptions } from '../index.ts';

/** A running server, as clients see it. */
export interface PlatformServer {
  apiUrl: string;
  /** A token with all permissions in the workspace. */
  token: string;
  workspaceId: string;
  /** A bot of the workspace. */
  botId: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  close(): Promise<void>;
}

/** The fixture that the cases of an API use; available while tests run. */
export interface PlatformContractFixture {
  server(): PlatformServer;
  /** Creates a client with the token, the workspace and the bot; `options` override these. */
  client(options?: ClientOptions): Client;
  /** Sends a request, which counts as a call of its operation. */
  fetch: PlatformServer['fetch'];
  /** Returns a text that no other test uses. */
  fresh(word: string): string;
}

/** A client that repeats a request. The server executes the first one, whose response is lost. `requests`: how many it has sent. */
export function cuttingClient({ server, client }: Pick<PlatformContractFixture, 'server' | 'client'>) {
  let requests = 0;
  const cutting = client({
    retry: { attempts: 1, delayMs: () => 0 },
    async fetch(url, init) {
      const response = await server().fetch(url, init);
      if (requests++ === 0) throw new TypeError('cut');
      return response;
    },
  });
  return { cutting, requests: () => requests };
}

/** The status and type of the error that the call fails with; its class has the name of the type. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => new Error('It was not refused.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw error;
  expect(error.id).toMatch(/^err_\d{14}x[\dA-F]{8}$/);
  expect(error.name).toBe(`${error.type}Error`);
  return `${error.code} ${error.type}`;
}
