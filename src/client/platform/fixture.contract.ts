// What the cases of the platform's contract have in common: the server, clients for it, refusals. No cases.
import { expect } from 'vitest';
import { ApiError, type Client, type ClientOptions } from '../index.ts';

/** A server that runs, seen from outside. */
export interface PlatformServer {
  apiUrl: string;
  /** May do everything in the workspace. */
  token: string;
  workspaceId: string;
  /** A bot of the workspace. */
  botId: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  close(): Promise<void>;
}

/** What the cases of a family use; good as soon as tests run. */
export interface ContractFixture {
  server(): PlatformServer;
  /** A client with the token, the workspace and the bot; `options` go over these. */
  client(options?: ClientOptions): Client;
  /** A word that no other test uses. */
  fresh(word: string): string;
}

/** The status and type of the error it fails with; its class has the type's name. */
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
