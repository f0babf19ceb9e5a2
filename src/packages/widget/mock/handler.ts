// Answers one request to the mock server: address, caller, idempotency key, operation, error.
import { readLocale } from '../../../protocol/headers.ts';
import type { Webchat } from '../../../protocol/webchat.ts';
import type { BotRunner } from './bot.ts';
import type { Call } from './call.ts';
import { Failure, forbidden } from './failure.ts';
import { answerFile } from './files.ts';
import { operations } from './operations.ts';
import { findOperation } from './router.ts';
import type { SignalHub } from './signals.ts';
import type { MockStore } from './store.ts';

export interface HandlerOptions {
  store: MockStore;
  signals: SignalHub;
  bot: BotRunner;
  webchat: Webchat;
}

/** Answers a request whose path below the chat's address (`base`) is `path`. Never throws. */
export type Handler = (request: Request, base: string, path: string, body: Uint8Array) => Response;

/** Operations that create something answer with 201. */
const isCreating = /^(create|renew)/;

export function createHandler({ store, signals, bot, webchat }: HandlerOptions): Handler {
  /** Bodies of responses by idempotency key. */
  const repeated = new Map<string, object>();

  function run(request: Request, base: string, path: string, body: Uint8Array): Response {
    const url = new URL(request.url);
    const match = findOperation(request.method, path);
    if (!match) throw new Failure('ResourceNotFound', 'There is nothing at this address.');
    const { name, parameters } = match;
    const operation = operations[name];
    if (!operation && name !== 'listenConversation') {
      throw new Failure(
        'NotImplemented',
        `The mock server has only what a chat window needs, and not ${name}. Test it with a server.`,
      );
    }
    const key = request.headers.get('x-user-key') ?? '';
    const user = store.users.get(store.keys.get(key) ?? '');
    if (!user && !['createUser', 'getWebchat'].includes(name))
      throw new Failure('Unauthorized', 'The user key is missing or not valid.');
    if (!operation) {
      const conversation = store.conversations.get(parameters.id ?? '');
      if (!user || conversation?.ownerId !== user.id) throw forbidden();
      return signals.listen(conversation, request.headers.get('last-event-id'), request.signal);
    }
    const status = isCreating.test(name) ? 201 : 200;
    const idempotencyKey = request.headers.get('idempotency-key');
    const id = `${user?.id} ${name} ${idempotencyKey}`;
    const stored = idempotencyKey === null ? undefined : repeated.get(id);
    if (stored) return Response.json(stored, { status });
    const call: Call = {
      store,
      signals,
      bot,
      webchat,
      path: parameters,
      body: parse(new TextDecoder().decode(body)),
      query: url.searchParams,
      base,
      locale: readLocale(request.headers),
      // Only createUser and getWebchat run without a user; they do not read it.
      user: user ?? store.botUser,
    };
    // A copy, because the stored object may change before the response is written.
    const result = structuredClone(operation(call));
    if (idempotencyKey !== null) repeated.set(id, result);
    return Response.json(result, { status });
  }

  return (request, base, path, body) => {
    try {
      return answerFile(store, path, request, body) ?? run(request, base, path, body);
    } catch (error) {
      const failure =
        error instanceof Failure
          ? error
          : new Failure('Internal', `The mock server failed: ${String(error)}`);
      const answer = failure.body(store.next());
      return Response.json(answer, { status: answer.code });
    }
  };
}

function parse(text: string): Record<string, unknown> {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new Failure('InvalidDataFormat', 'The body is not a JSON object.');
}
