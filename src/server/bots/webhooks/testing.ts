// A real webhook receiver for tests on 127.0.0.1: it records requests and responds as configured.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { WebhookBody } from '../../../protocol/webhook.ts';
import { createBot } from '../../admin/first-start.ts';
import { issueToken } from '../../auth/tokens.ts';
import type { TestServer } from '../../testing.ts';
import { createSigningSecret } from './post.ts';

interface Received {
  headers: IncomingMessage['headers'];
  /** The body as text. */
  text: string;
  body: WebhookBody;
}

type Responder = (response: ServerResponse, received: Received) => void | Promise<void>;

export interface Receiver {
  url: string;
  received: Received[];
  /** The number of open connections, and its maximum so far. */
  open(): number;
  mostOpen(): number;
  answer(answering: Responder): void;
  close(): Promise<void>;
}

/** `port`: the port of a closed receiver that is started again; 0 for any. */
export async function startReceiver(answering: Responder, port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let most = 0;
  let answerWith = answering;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const one = { headers: request.headers, text, body: JSON.parse(text) as WebhookBody };
    received.push(one);
    await answerWith(response, one);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    open: () => sockets.size,
    mostOpen: () => most,
    answer(next) {
      answerWith = next;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Accepts the event without a message. */
export const accept: Responder = (response) => void response.writeHead(204).end();
export const refuse =
  (status: number, headers: Record<string, string> = {}): Responder =>
  (response) =>
    void response.writeHead(status, headers).end();
export const answerJson =
  (value: unknown): Responder =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

export interface WebhookBot {
  id: string;
  userId: string;
  webhookId: string;
  secret: string;
  /** The token of the bot for the Runtime API. */
  token: string;
}

/** Creates a bot with a webhook and a token. */
export async function addWebhookBot(
  server: TestServer,
  webhookUrl: string,
  name = 'away',
): Promise<WebhookBot> {
  const secret = createSigningSecret();
  const { workspaceId } = server.composition;
  return server.db.write(async (tx) => {
    const common = { workspaceId, webhookId: name, name, ownKeys: 0, now: 1 } as const;
    const bot = await createBot(tx, { ...common, webhookUrl, signingSecret: secret });
    const fields = { memberId: null, integration: null, createdAt: 1, expiresAt: null };
    const { token } = await issueToken(tx, {
      workspaceId,
      kind: 'bot',
      botId: bot.id,
      name: 'Test',
      ...fields,
    });
    return { id: bot.id, userId: bot.userId, webhookId: name, secret, token };
  });
}

// biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
type Body = any;

async function send(server: TestServer, route: string, headers: Record<string, string>, body?: unknown) {
  const [method = '', path = ''] = route.split(' ');
  const response = await server.fetch(path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

/** Sends a request of a bot, such as `GET /v1/chat/messages`. */
export const requestAs = (
  server: TestServer,
  bot: WebhookBot,
  route: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => send(server, route, { authorization: `Bearer ${bot.token}`, 'x-bot-id': bot.id, ...headers }, body);

/** Creates a visitor of a bot with a conversation. `fields`: of the user. */
export async function startVisitor(server: () => TestServer, webhookId: string, fields: object = {}) {
  let key: string | undefined;
  /** Sends a request of the visitor, such as `GET /users/me`. `to`: by default the server. */
  const request = (route: string, body?: unknown, to = server()) =>
    send(to, route.replace(' ', ` /chat/${webhookId}`), key === undefined ? {} : { 'x-user-key': key }, body);
  const created = (await request('POST /users', fields)).body;
  key = created.key as string;
  const conversationId = (await request('POST /conversations', {})).body.conversation.id as string;
  const messagesOf = `GET /conversations/${conversationId}/messages`;
  return {
    key,
    userId: created.user.id as string,
    conversationId,
    request,
    async sendText(text: string): Promise<string> {
      const message = { conversationId, payload: { type: 'text', text } };
      return (await request('POST /messages', message)).body.message.id;
    },
    /** The texts of all messages, oldest first. */
    async texts(): Promise<(string | undefined)[]> {
      const { messages } = (await request(messagesOf)).body;
      return messages.map(({ payload }: Body) => payload.text ?? payload.markdown).reverse();
    },
    listen: (to = server()) =>
      to.fetch(`/chat/${webhookId}/conversations/${conversationId}/listen`, {
        headers: { 'x-user-key': key },
      }),
  };
}
export type Visitor = Awaited<ReturnType<typeof startVisitor>>;
