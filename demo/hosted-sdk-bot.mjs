// A bot that is written with the SDK of the hosted product only: echo, buttons, state, typing and a file. The deployment of
// the bot has `webhookFormat: 'hosted'`. The SDK reads the address of the server and the token from BP_API_URL and BP_TOKEN.
import { once } from 'node:events';
import { Bot } from '@botpress/sdk';

const bot = new Bot({ actions: {}, plugins: {} });

bot.on.event('webchat:conversationStarted', async ({ client, ctx, event }) => {
  await client.createMessage({
    conversationId: event.payload.conversationId,
    userId: ctx.botId,
    type: 'text',
    payload: { text: 'Hello! Write "buttons", "count" or "file", or anything else.' },
    tags: {},
  });
});

bot.on.message('text', async ({ client, ctx, conversation, message }) => {
  const conversationId = conversation.id;
  const send = (type, payload) =>
    client.createMessage({ conversationId, userId: ctx.botId, type, payload, tags: {} });
  await client.callAction({
    type: 'webchat:startTypingIndicator',
    input: { conversationId, messageId: message.id, timeout: 5_000 },
  });
  const { text, value } = message.payload;
  if (value) {
    await client.updateConversation({ id: conversationId, tags: { color: value } });
    await send('text', { text: `You chose ${value}.` });
  } else if (text === 'buttons') {
    const options = [
      { label: 'Blue', value: 'blue' },
      { label: 'Green', value: 'green' },
    ];
    await send('choice', { text: 'Which color?', options });
  } else if (text === 'count') {
    const counter = { type: 'conversation', id: conversationId, name: 'counter' };
    const { state } = await client.getOrSetState({ ...counter, payload: { count: 0 } });
    const count = state.payload.count + 1;
    await client.setState({ ...counter, payload: { count } });
    await send('text', { text: `You asked ${count} times.` });
  } else if (text === 'file') {
    const content = 'Notes of the bot';
    const { file } = await client.uploadFile({
      key: `notes-${message.id}.txt`,
      content,
      accessPolicies: ['public_content'],
    });
    await send('file', { fileUrl: file.url, title: 'notes.txt' });
  } else {
    await send('text', { text: `You said: ${text}` });
  }
});

bot.on.message('file', async ({ client, ctx, conversation, message }) => {
  await client.createMessage({
    conversationId: conversation.id,
    userId: ctx.botId,
    type: 'text',
    payload: { text: `Thank you for ${message.payload.title ?? 'the file'}.` },
    tags: {},
  });
});

const server = await bot.start(Number(process.env.PORT ?? 8080));
if (!server.listening) await once(server, 'listening');
console.log(`The bot receives events at http://127.0.0.1:${server.address().port}/`);

export default bot;
