// The behaviour that clients can expect of every Chat API server. Run it against a server by `chatContract`; the cases
// are in `window.contract.ts`, `conversations.contract.ts`, `messages.contract.ts` and `streams.contract.ts`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatRoutes } from '../operations/chat.ts';
import { conversationsContract } from './conversations.contract.ts';
import { type ContractServer, createContractFixture } from './fixture.contract.ts';
import { messagesContract } from './messages.contract.ts';
import { streamsContract } from './streams.contract.ts';
import { windowContract } from './window.contract.ts';

/** `part`: all operations, or only those that a window needs, which is what the mock server has. */
export function chatContract(
  name: string,
  makeServer: () => Promise<ContractServer>,
  part: 'whole' | 'window' = 'whole',
): void {
  let server: ContractServer;
  /** Method and path of every request. */
  const called = new Set<string>();
  const fixture = createContractFixture(() => server, called);

  describe(`Chat API: ${name}`, () => {
    beforeAll(async () => {
      server = await makeServer();
    });
    afterAll(() => server.close());

    windowContract(fixture);
    if (part === 'window') return;
    conversationsContract(fixture);
    messagesContract(fixture);
    streamsContract(fixture);

    test('every operation was called', () => {
      const missed = Object.entries(chatRoutes).filter(([, route]) => {
        const pattern = new RegExp(`^${route.replace(/{\w+}/g, '[^/]+')}$`);
        return ![...called].some((request) => pattern.test(request));
      });
      expect(missed, 'Call each of them in a case of a contract, next to this file.').toEqual([]);
    });
  });
}
