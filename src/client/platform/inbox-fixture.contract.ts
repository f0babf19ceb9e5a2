// The fixture of the cases of the Inbox API: bots, visitors who ask for a person, members, and the stream of the inbox.
import { expect } from 'vitest';
import { waitFor } from '../../polling.testing.ts';
import type { Role } from '../../protocol/admin/permissions.ts';
import type { InboxRow, TeamSignal, TeamSignals, TeamSignalType } from '../../protocol/handling/inbox.ts';
import { createSseParser } from '../../protocol/streams/sse.ts';
import { ChatClient, type Client, InboxClient } from '../index.ts';
import type { PlatformContractFixture } from './fixture.contract.ts';

export const text = (content: string) => ({ type: 'text', text: content }) as const;

/** A member of the workspace, and a client with a personal token of theirs. */
export interface ContractMember {
  id: string;
  name: string;
  inbox: Client;
  /** Opens the stream of the inbox. `await using` closes it at the end of a test. */
  listen(): Promise<TeamStream>;
}

/** The stream of the inbox of a member. */
export interface TeamStream extends AsyncDisposable {
  signals: TeamSignal[];
  /** Resolves with the first signal of the type that matches, also with one that was received before. */
  until<T extends TeamSignalType>(
    type: T,
    matches: (data: TeamSignals[T]) => boolean,
  ): Promise<TeamSignals[T]>;
}

/** A bot, and the address of its chat. */
interface ContractBot {
  botId: string;
  chatUrl: string;
}

/** The client of the inbox page opens the stream in the same way: it is not one of the methods. */
class ListeningClient extends InboxClient {
  openStream(): Promise<Response> {
    const { apiUrl, headers } = this.rest.settings;
    return this.rest.exchange(
      {
        url: `${apiUrl}/v1/inbox/stream`,
        init: { method: 'GET', headers: { ...headers, accept: 'text/event-stream' } },
        timeoutMs: Number.POSITIVE_INFINITY,
      },
      (response) => response,
    );
  }
}

export type InboxFixture = ReturnType<typeof createInboxFixture>;

export function createInboxFixture(fixture: PlatformContractFixture) {
  const { server, client, fetch, fresh } = fixture;

  /** Adds a member; the client has a personal token of them. */
  async function member(role: Role = 'support'): Promise<ContractMember> {
    const name = fresh('Ada');
    const { id } = await client().createWorkspaceMember({
      email: `${name.toLowerCase()}@example.com`,
      role,
      displayName: name,
    });
    const { value } = await client().createToken({ name: 'Phone', kind: 'personal', memberId: id });
    return { id, name, inbox: client({ token: value }), listen: () => listen(value) };
  }

  /** Opens the stream of the member with the token. Rejects as the methods of clients do. */
  async function listen(token: string): Promise<TeamStream> {
    const { apiUrl, workspaceId } = server();
    const response = await new ListeningClient({ apiUrl, workspaceId, token, fetch, retry: 0 }).openStream();
    const signals: TeamSignal[] = [];
    const feed = createSseParser(({ event, data }) => {
      if (event === 'message' && data !== 'ping') signals.push(JSON.parse(data) as TeamSignal);
    });
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    const reading = (async () => {
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
        feed(decoder.decode(next.value, { stream: true }));
    })().catch(() => {});
    return {
      signals,
      until: (type, matches) =>
        waitFor(() => {
          for (const signal of signals)
            if (signal.type === type && matches(signal.data as TeamSignals[typeof type]))
              return signal.data as TeamSignals[typeof type];
          throw new Error(`No ${type} that matches: ${JSON.stringify(signals)}`);
        }),
      async [Symbol.asyncDispose]() {
        await reader?.cancel();
        await reading;
      },
    };
  }

  /** Creates a bot without code, whose conversations no other test has. */
  async function ownBot(): Promise<ContractBot> {
    const { bot } = await client().createBot({ name: fresh('Shop') });
    const { deployment } = await client().getBotDeployment({ id: bot.id });
    return { botId: bot.id, chatUrl: new URL(new URL(deployment.chatUrl).pathname, server().apiUrl).href };
  }

  const defaultBot = (): ContractBot => ({
    botId: server().botId,
    chatUrl: new URL('/chat/demo', server().apiUrl).href,
  });

  /** Creates a visitor with a conversation. */
  async function startConversation({ bot = defaultBot(), content = 'Hello' } = {}) {
    const visitor = new ChatClient({
      chatUrl: bot.chatUrl,
      fetch: (url, init) => fetch(url, init ?? {}),
    });
    const { user, key } = await visitor.createUser({ name: fresh('Visitor') });
    visitor.userKey = key;
    const { conversation } = await visitor.createConversation({});
    const { id } = conversation;
    const write = (value: string) => visitor.createMessage({ conversationId: id, payload: text(value) });
    await write(content);
    return { ...bot, id, visitor, user, write };
  }

  /** Creates a visitor with a conversation, for which the bot asks for a person. */
  async function asked({
    reason,
    team,
    ...given
  }: Parameters<typeof startConversation>[0] & { reason?: string; team?: string } = {}) {
    const conversation = await startConversation(given);
    const ofBot = client({ botId: conversation.botId });
    const answer = await ofBot.requestHandoff({
      id: conversation.id,
      ...(reason === undefined ? {} : { reason }),
      ...(team === undefined ? {} : { team }),
    });
    return { ...conversation, answer };
  }

  /** The row of a conversation, as a second request reads it. */
  const rowOf = async ({ inbox }: ContractMember, id: string): Promise<InboxRow> =>
    (await inbox.getInboxConversation({ id })).conversation;

  /** Replies to what the member has read. */
  async function reply({ inbox }: ContractMember, id: string, content: string) {
    const { seq } = await inbox.getInboxTimeline({ id });
    return (await inbox.createReply({ id, payload: text(content), seenSeq: seq })).message;
  }

  /** Sends the bytes of an announced file. */
  async function send(uploadUrl: string, content: string): Promise<void> {
    const headers = { 'content-type': 'text/plain' };
    const { status } = await fetch(uploadUrl, { method: 'PUT', body: content, headers });
    expect(status).toBe(204);
  }

  return { ...fixture, member, ownBot, startConversation, asked, rowOf, reply, send };
}
