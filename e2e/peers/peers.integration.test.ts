// Tests agents of frameworks over their own AG-UI packages, in the versions of the package.json files beside this one, from the
// message of a visitor to the stored answer. Needs the npm registry at the first run.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '../../src/protocol/message.ts';
import type { PartOf } from '../../src/protocol/parts.ts';
import { agentAt } from '../../src/server/bots/agents/testing.ts';
import { pollOptions, startTestServer, type TestServer } from '../../src/server/testing.ts';
import { type Peer, type RunningPeer, startPeer } from './peer.testing.ts';

const peers: Peer[] = [
  { name: 'langgraph', paths: ['/', '/outcome'] },
  { name: 'mastra', paths: ['/', '/events'], node: '24.9.0' },
  { name: 'copilotkit', paths: ['/api/agent/shop/run'] },
];

describe.each(peers)('$name', (peer) => {
  let running: RunningPeer;
  let server: TestServer;

  // Installs the packages at the first run.
  beforeAll(async () => {
    running = await startPeer(peer);
  }, 600_000);
  afterAll(() => running?.end());
  afterEach(() => server.close());

  const optionsOf = (path: string) => ({
    agent: agentAt(`${running.url}${path}`, { protocol: 'ag-ui', show: ['tools', 'tool-output'] }),
  });

  async function chat(path: string) {
    server = await startTestServer(optionsOf(path));
    const { key } = await server.user();
    const conversationId = await server.conversation(key);
    const messages = async () => {
      const { body } = await server.call('GET', `/conversations/${conversationId}/messages`, { key });
      return (body.messages as Message[]).toReversed();
    };
    const answer = async (count: number): Promise<Message> => {
      await expect
        .poll(async () => (await messages()).length, { ...pollOptions, timeout: 60_000 })
        .toBe(count);
      return (await messages()).at(-1) as Message;
    };
    return {
      messages,
      answer,
      send: (text: string) => server.sendMessage(key, conversationId, text),
      /** Sends a message and returns the answer. */
      async ask(text: string): Promise<Message> {
        const before = (await messages()).length;
        await server.sendMessage(key, conversationId, text);
        return answer(before + 2);
      },
      respond: (id: string, approved: boolean) =>
        server.call('POST', `/interrupts/${id}/response`, {
          key,
          body: { status: 'resolved', payload: { approved } },
        }),
      listen: () => server.listen(key, conversationId, 0),
      stop: (streamId: string) =>
        server.call('POST', `/conversations/${conversationId}/stop`, { key, body: { streamId } }),
    };
  }

  const textOf = ({ payload }: Message) => {
    const { markdown, text } = payload as { markdown?: string; text?: string };
    return markdown ?? text;
  };
  const questionOf = ({ parts = [] }: Message) =>
    parts.find(({ type }) => type === 'interrupt') as PartOf<'interrupt'>;
  const question = {
    message: 'Refund 20 euros?',
    toolName: 'refund',
    input: { order: 'A-1', amount: 20 },
    state: 'open',
  };

  describe.each(peer.paths)('%s', (path) => {
    test('answers a first and a second message in one conversation', async () => {
      const { ask } = await chat(path);
      expect(textOf(await ask('Hello'))).toBe('You said: Hello');
      expect(textOf(await ask('Again'))).toBe('You said: Again');
    });

    test.each([true, false])(
      'asks with tool, input and question, and goes on with approved: %s',
      async (approved) => {
        const { ask, respond, answer } = await chat(path);
        const part = questionOf(await ask('Refund, please'));
        expect(part).toMatchObject(question);
        expect((await respond(part.id, approved)).status).toBe(200);
        const text = textOf(await answer(3)) ?? '';
        if (peer.name === 'mastra') expect(text).toContain(`"refunded":${approved}`);
        else expect(text).toBe(approved ? 'Refunded.' : 'Not refunded.');
        expect(textOf(await ask('Hello'))).toBe('You said: Hello');
      },
    );

    test('answers a message in place of an answer to its question, and those after it', async () => {
      const { ask, messages } = await chat(path);
      await ask('Refund, please');
      const text = textOf(await ask('Hello'));
      // An event of LangGraph takes the message as its answer.
      const isAnswer = peer.name === 'langgraph' && path === '/';
      if (isAnswer) expect(text).toBe('Not refunded.');
      else expect(text).toMatch(/(?:^|\n)You said: Hello$/);
      expect(textOf(await ask('Again'))).toBe('You said: Again');
      expect((await messages()).filter(({ metadata }) => metadata?.error !== undefined)).toEqual([]);
    });

    test('answers after a run that the visitor has stopped', async () => {
      const { send, listen, stop, ask, answer } = await chat(path);
      const stream = await listen();
      await send('A slow story');
      const delta = await stream.until(({ signal }) => signal?.type === 'message_stream_delta');
      const { data } = JSON.parse(delta.data) as { data: { streamId: string } };
      await stop(data.streamId);
      expect((await answer(2)).metadata).toMatchObject({ stopped: true });
      await stream.cancel();
      expect(textOf(await ask('Hello'))).toBe('You said: Hello');
    });

    test('goes on after a restart of the server between the question and the answer', async () => {
      const { ask, respond, answer } = await chat(path);
      const part = questionOf(await ask('Refund, please'));
      server = await server.restart(optionsOf(path));
      expect((await respond(part.id, true)).status).toBe(200);
      expect(textOf(await answer(3))).toMatch(/Refunded\.|"refunded":true/);
    });
  });

  test.runIf(peer.name === 'langgraph')(
    'takes the text of a message as the answer to a question',
    async () => {
      const { ask } = await chat('/');
      expect(questionOf(await ask('My name'))).toMatchObject({ message: 'What is your name?' });
      expect(textOf(await ask('Petra'))).toBe('Hello Petra.');
    },
  );

  test.runIf(peer.name !== 'copilotkit')(
    'shows a step that has ended with success, and each text once',
    async () => {
      const { ask } = await chat('/');
      const message = await ask('Where is my order?');
      const steps = message.parts?.filter(({ type }) => type === 'tool');
      expect(steps).toMatchObject([{ toolName: 'get_order', state: 'output-available' }]);
      const text = textOf(message) ?? '';
      if (peer.name === 'langgraph') expect(text).toBe('It was sent.');
      else expect(text.match(/The tool says/g)).toHaveLength(1);
    },
  );

  test.runIf(peer.name === 'langgraph')('adds to the thread only what is new', async () => {
    const { ask } = await chat('/');
    await ask('Hello');
    await ask('Where is my order?');
    // A call and its result stand beside the answers.
    expect(textOf(await ask('Count'))).toBe('7 messages');
  });

  test.runIf(peer.name === 'langgraph')(
    'shows texts that only the snapshot of the messages has',
    async () => {
      const { ask } = await chat('/');
      expect(textOf(await ask('Be silent'))).toBe('Let me look.\n\nSent.');
    },
  );
});
