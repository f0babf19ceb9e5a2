// The behaviour that clients can expect of every Chat API server. Run it against a server by `chatContract`; the cases
// of each topic are in `conversations.contract.ts`, `messages.contract.ts` and `streams.contract.ts`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatRoutes } from '../operations/chat.ts';
import { conversationsContract } from './conversations.contract.ts';
import { type ContractServer, createContractFixture } from './fixture.contract.ts';
import { messagesContract } from './messages.contract.ts';
import { streamsContract } from './streams.contract.ts';

export function chatContract(name: string, makeServer: () => Promise<ContractServer>): void {
  let server: ContractServer;
  /** Method and path of every request. */
  const called = new Set<string>();
  const fixture = createContractFixture(() => server, called);
  const { createClient, visitor } = fixture;

  describe(`Chat API: ${name}`, () => {
    beforeAll(async () => {
      server = await makeServer();
    });
    afterAll(() => server.close());

    conversationsContract(fixture);
    messagesContract(fixture);
    streamsContract(fixture);

    test('the server reports its features', async () => {
      const answer = await createClient().client.getWebchat();
      expect(answer?.features).toEqual(
        expect.arrayContaining(['replay', 'idempotency', 'files', 'feedback']),
      );
      expect(answer?.limits.messageBytes).toBeGreaterThan(0);
    });

    test('an aborted call fails with the abort reason', async () => {
      const { client } = await visitor();
      const reason = new Error('left');
      await expect(client.getUser({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });

    test('every operation was called', () => {
      const missed = Object.entries(chatRoutes).filter(([, route]) => {
        const pattern = new RegExp(`^${route.replace(/{\w+}/g, '[^/]+')}$`);
        return ![...called].some((request) => pattern.test(request));
      });
      expect(missed, 'Call each of them in a case of a contract, next to this file.').toEqual([]);
    });
  });
}
