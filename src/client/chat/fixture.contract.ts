// The fixture of the contract of the Chat API: clients, users, conversations, streams, expected errors.
import { expect } from 'vitest';
import { waitFor } from '../../polling.testing.ts';
import type { Signal } from '../../protocol/signal.ts';
import { ApiError, ChatClient, type Connection, type ConnectionState, type ListenOptions } from '../index.ts';

/** A running server, as clients see it. */
export interface ContractServer {
  chatUrl: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  close(): Promise<void>;
}

export const text = (content: string) => ({ type: 'text', text: content }) as const;

/** The status and type of the error that the call fails with. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => 'nothing',
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw error;
  expect(error.id).toMatch(/^err_\d{14}x[\dA-F]{8}$/);
  return `${error.code} ${error.type}`;
}

/**
 * Creates the fixture that the cases use; available while tests run.
 * @param called receives method and path of every request.
 */
export function createContractFixture(server: () => ContractServer, called: Set<string>) {
  let visits = 0;

  /** A client whose responses can be cut in the middle. */
  function createClient() {
    const cuts = new Set<() => void>();
    const client = new ChatClient({
      chatUrl: server().chatUrl,
      async fetch(url, init) {
        called.add(
          `${init.method} ${url.slice(server().chatUrl.replace(/\/$/, '').length).replace(/\?.*/, '')}`,
        );
        const response = await server().fetch(url, init);
        if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        const cut = new AbortController();
        cuts.add(() => cut.abort(new TypeError('cut')));
        response.body?.pipeTo(writable, { signal: cut.signal }).catch(() => {});
        return new Response(readable, response);
      },
    });
    const cut = () => {
      for (const end of cuts) end();
      cuts.clear();
    };
    return { client, cut };
  }

  async function visitor(fields: { name?: string; id?: string } = {}) {
    const { client, cut } = createClient();
    const { user, key } = await client.createUser(fields);
    client.userKey = key;
    return { client, cut, user, key };
  }

  /** Creates a visitor with a conversation. */
  async function startConversation() {
    const owner = await visitor();
    const { conversation } = await owner.client.createConversation({});
    return { ...owner, conversationId: conversation.id };
  }

  /** Makes a visitor a participant: the owner invites, the visitor accepts. */
  async function join(
    owner: ChatClient,
    conversationId: string,
    { client, user }: Awaited<ReturnType<typeof visitor>>,
  ): Promise<void> {
    await owner.addParticipant({ conversationId, userId: user.id });
    await client.acceptInvitation({ conversationId });
  }

  /** Returns an id that no other test uses. */
  const fresh = (word: string) => `${word}-${++visits}`;

  /** Opens a stream that `await using` closes at the end of the test. */
  async function listen(client: ChatClient, conversationId: string, options: Partial<ListenOptions> = {}) {
    const signals: Signal[] = [];
    const states: ConnectionState[] = [];
    const opens: boolean[] = [];
    const errors: ApiError[] = [];
    const connection: Connection = client.listen(conversationId, {
      onSignal: (signal) => signals.push(signal),
      onState: (state) => states.push(state),
      onOpen: ({ resumed }) => opens.push(resumed),
      onError: (error) => errors.push(error),
      ...options,
    });
    const until = (fits: () => boolean) => waitFor(() => expect(fits()).toBe(true));
    await until(() => opens.length > 0 || errors.length > 0);
    return {
      connection,
      signals,
      states,
      opens,
      errors,
      until,
      texts: () =>
        signals.flatMap((signal) =>
          signal.type === 'message_created' && signal.data.payload.type === 'text'
            ? [signal.data.payload.text]
            : [],
        ),
      async [Symbol.asyncDispose]() {
        connection.close();
      },
    };
  }

  return { server, createClient, visitor, startConversation, join, fresh, listen };
}

export type ChatContractFixture = ReturnType<typeof createContractFixture>;
