// Runs the contract against our server over real HTTP, and tests the requests of the client.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { waitFor } from '../../polling.testing.ts';
import { base, pollOptions, startTestServer } from '../../server/testing.ts';
import type { Fetch } from '../core/http.ts';
import { ApiError, ChatClient, NetworkError } from '../index.ts';
import { chatContract } from './chat.contract.ts';

// The contract over HTTP has all cases: without HTTP, only the function differs that the client sends its requests with.
test('a client without HTTP: one whose fetch is that of a server in this process writes, reads and receives', async () => {
  const server = await startTestServer();
  onTestFinished(server.close);
  const client = new ChatClient({ chatUrl: `http://localhost${base}`, fetch: server.fetch });
  client.userKey = (await client.createUser({ name: 'Ann' })).key;
  const { id } = (await client.createConversation({})).conversation;
  const onSignal = vi.fn();
  const onOpen = vi.fn();
  const connection = client.listen(id, { onSignal, onOpen });
  onTestFinished(() => connection.close());
  await expect.poll(() => onOpen.mock.calls.length, pollOptions).toBe(1);
  const { message } = await client.createMessage({
    conversationId: id,
    payload: { type: 'text', text: 'Hi' },
  });
  const messages = await client.list.messages({ conversationId: id }).collect();
  expect(messages.map((one) => one.id)).toContain(message.id);
  await expect
    .poll(() => onSignal.mock.calls.map(([signal]) => signal.data.id), pollOptions)
    .toContain(message.id);
  await expect(client.getMessage({ id: 'msg_none' })).rejects.toMatchObject({ code: 404 });
});

chatContract('over HTTP', async () => {
  const server = await startTestServer();
  const http = createServer(
    getRequestListener(server.composition.app.fetch, { overrideGlobalObjects: false }),
  );
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    chatUrl: `http://127.0.0.1:${port}${base}/`,
    fetch,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await server.close();
    },
  };
});

describe('requests', () => {
  function create(answer: () => Response = () => Response.json({ meta: {}, messages: [] })) {
    const fetch = vi.fn<Fetch>(async () => answer());
    const client = new ChatClient({ chatUrl: 'https://chat.test/chat/demo//', userKey: 'key', fetch });
    /** Method, address and body of the last request. */
    const sent = () => {
      const [url, { method, body } = {}] = fetch.mock.lastCall ?? [];
      return [method, url?.replace('https://chat.test/chat/demo', ''), body];
    };
    return { client, fetch, sent };
  }

  test('ids are encoded, and are not in the body', async () => {
    const { client, sent } = create();
    await client.removeParticipant({ conversationId: 'a/b c?', userId: 'ü#' });
    expect(sent()).toEqual(['DELETE', '/conversations/a%2Fb%20c%3F/participants/%C3%BC%23', '{}']);
  });

  test('a GET has a query, other methods a body; undefined fields are omitted', async () => {
    const { client, sent } = create();
    await client.listMessages({ conversationId: 'c', nextToken: 'p2+/=' });
    expect(sent()).toEqual(['GET', '/conversations/c/messages?nextToken=p2%2B%2F%3D', undefined]);
    await client.listMessages({ conversationId: 'c' });
    expect(sent()).toEqual(['GET', '/conversations/c/messages', undefined]);
    await client.createUser({ name: 'Ann', ...({ profile: undefined } as object) });
    expect(sent()).toEqual(['POST', '/users', '{"name":"Ann"}']);
    await client.createConversation({});
    expect(sent()).toEqual(['POST', '/conversations', '{}']);
  });

  test('the user key and the idempotency key are headers; a key that is set later is used', async () => {
    const { client, fetch } = create();
    client.userKey = 'other';
    await client.createEvent({ conversationId: 'c', payload: {} }, { idempotencyKey: 'once' });
    expect(fetch.mock.lastCall?.[1].headers).toEqual({
      'x-user-key': 'other',
      'idempotency-key': 'once',
      'content-type': 'application/json',
    });
    client.userKey = undefined;
    await client.getUser({});
    expect(fetch.mock.lastCall?.[1].headers).toEqual({});
  });

  test('a stream is requested as an event stream, from its last position', async () => {
    const { client, fetch, sent } = create(() => Response.json({}, { status: 403 }));
    const onError = vi.fn();
    client.listen('a/b', { onSignal() {}, onError, lastEventId: '7' });
    await waitFor(() => expect(onError).toHaveBeenCalledOnce());
    expect(sent()).toEqual(['GET', '/conversations/a%2Fb/listen', undefined]);
    expect(fetch.mock.lastCall?.[1].headers).toEqual({
      accept: 'text/event-stream',
      'last-event-id': '7',
      'x-user-key': 'key',
    });
  });

  test('a plain server returns 404 for /webchat; other failures reject', async () => {
    expect(await create(() => new Response('', { status: 404 })).client.getWebchat()).toBeUndefined();
    await expect(create(() => new Response('', { status: 500 })).client.getWebchat()).rejects.toBeInstanceOf(
      ApiError,
    );
    await expect(create(() => new Response('<html>')).client.getWebchat()).rejects.toBeInstanceOf(
      NetworkError,
    );
  });

  test('a fetch that the page replaces later is not used', async () => {
    const first = vi.fn(async () => Response.json({}));
    vi.stubGlobal('fetch', first);
    const client = new ChatClient({ chatUrl: 'https://chat.test' });
    vi.stubGlobal('fetch', () => expect.unreachable());
    await client.getUser({});
    vi.unstubAllGlobals();
    expect(first).toHaveBeenCalledOnce();
  });
});
