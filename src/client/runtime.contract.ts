// The cases of the Runtime API, for platform.contract.ts: a bot outside of the server, and a visitor who talks with it.
import { expect, test } from 'vitest';
import { ChatClient } from './index.ts';
import { refusal, type Scene } from './scene.contract.ts';

export function runtimeContract({ server, client, fresh }: Scene): void {
  /** A visitor in a conversation with the bot. */
  async function visit() {
    const { snippet } = await client().getBotSnippet({ id: server().botId });
    const chatUrl = /src="(.*)\/webchat\.js"/.exec(snippet)?.[1] ?? '';
    const chat = new ChatClient({ chatUrl, fetch: server().fetch });
    const { user, key } = await chat.createUser({ name: fresh('Ann') });
    chat.userKey = key;
    const { conversation } = await chat.createConversation({});
    const { message } = await chat.createMessage({
      conversationId: conversation.id,
      payload: { type: 'text', text: 'Hello' },
    });
    return { chat, user, message, conversationId: conversation.id };
  }
  const text = (words: string) => ({ type: 'text', text: words }) as const;

  test('a bot sees who speaks with it and what was said, and answers', async () => {
    const { chat, user, message, conversationId } = await visit();
    const bot = client();
    expect((await bot.getConversation({ id: conversationId })).conversation.id).toBe(conversationId);
    expect((await bot.list.conversations({ userId: user.id }).collect()).map(({ id }) => id)).toEqual([
      conversationId,
    ]);
    expect((await bot.getUser({ id: user.id })).user.name).toBe(user.name);
    expect((await bot.list.users({ conversationId }).collect()).map(({ id }) => id)).toContain(user.id);
    expect((await bot.getMessage({ id: message.id })).message.payload).toEqual(text('Hello'));
    const answer = await bot.createMessage({ conversationId, payload: text('Hi') });
    await bot.createMessage({ conversationId, payload: text('again') });
    const said = await bot.list.messages({ conversationId, pageSize: 1 }).collect();
    expect(said.map(({ payload }) => payload)).toEqual([text('again'), text('Hi'), text('Hello')]);
    expect(await bot.deleteMessage({ id: answer.message.id })).toEqual({});
    expect((await chat.listMessages({ conversationId })).messages).toHaveLength(2);
    const { event } = await bot.createEvent({ conversationId, payload: { a: 1 } });
    expect((await bot.getEvent({ id: event.id })).event.payload).toMatchObject({ a: 1 });
  });

  test('it shows that it writes, opens the window, changes the widget', async () => {
    const { conversationId: id } = await visit();
    expect(await client().setTyping({ id, typing: true })).toEqual({});
    expect(await client().setVisibility({ id, visibility: 'show' })).toEqual({});
    expect(await client().configureWebchat({ id, configuration: { botName: 'Other' } })).toEqual({});
  });

  test('an answer is written piece by piece, each once', async () => {
    const { conversationId } = await visit();
    const { stream } = await client().createStream({ conversationId });
    let requests = 0;
    const cutting = client({
      retry: { attempts: 1, delayMs: () => 0 },
      async fetch(url, init) {
        const response = await server().fetch(url, init);
        // The server has done it; the answer does not come.
        if (requests++ === 0) throw new TypeError('cut');
        return response;
      },
    });
    await cutting.writeStream({ id: stream.id, delta: 'one ', position: 0 });
    const { position } = await client().writeStream({ id: stream.id, delta: 'two' });
    expect([requests, position]).toEqual([2, 7]);
    const { message } = await client().endStream({ id: stream.id });
    expect(message.payload).toMatchObject({ markdown: 'one two' });
    const other = await client().createStream({ conversationId });
    expect(await client().abortStream({ id: other.stream.id })).toEqual({});
  });

  test('a message that is sent again after a cut is there once', async () => {
    const { conversationId } = await visit();
    let requests = 0;
    const cutting = client({
      retry: { attempts: 1, delayMs: () => 0 },
      async fetch(url, init) {
        const response = await server().fetch(url, init);
        if (requests++ === 0) throw new TypeError('cut');
        return response;
      },
    });
    await cutting.createMessage({ conversationId, payload: text('once') });
    const { messages } = await client().listMessages({ conversationId });
    expect([requests, messages.length]).toEqual([2, 2]);
  });

  test.each(['../x', 'a/b?c#d', 'Grüße 👍'])('the id %j is of nothing', async (id) => {
    for (const method of ['getConversation', 'getUser', 'getMessage', 'getEvent'] as const) {
      expect(await refusal(client()[method]({ id }))).toBe('404 ResourceNotFound');
    }
  });

  test.each(['', '.', '..'])('the id %j is refused before it reaches another address', async (id) => {
    await expect(client().deleteMessage({ id })).rejects.toThrow(TypeError);
  });
}
