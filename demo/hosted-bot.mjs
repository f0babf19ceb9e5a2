// A bot that is written with the official client of the hosted product only: echo, buttons, state, typing and a file. It
// receives events at its address (webhook) and answers through the Runtime API.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { Client } from '@botpress/client';

const { API_URL, BOT_ID = '', BOT_TOKEN, SIGNING_SECRET = '', PORT = '8080' } = process.env;

const client = new Client({ apiUrl: API_URL, botId: BOT_ID, token: BOT_TOKEN });

/** Answers one event. It can be called twice with the same event, so each answer has a tag by which it is found again. */
async function handle(event) {
  const { conversationId } = event;
  let answers = 0;
  const send = (type, payload) =>
    client.getOrCreateMessage({
      conversationId,
      userId: BOT_ID,
      type,
      payload,
      tags: { answer: `${event.id}:${answers++}` },
    });

  if (event.type === 'conversation_started') {
    await send('text', { text: 'Hello! Write "buttons", "count" or "file", or anything else.' });
    return;
  }
  if (event.type === 'file') {
    await send('text', { text: `Thank you for ${event.payload.title ?? 'the file'}.` });
    return;
  }
  if (event.type !== 'text') return;

  await client.callAction({
    type: 'webchat:startTypingIndicator',
    input: { conversationId, messageId: event.messageId, timeout: 5_000 },
  });
  const { text, value } = event.payload;
  if (value) {
    await client.updateConversation({ id: conversationId, tags: { color: value } });
    await send('text', { text: `You chose ${value}.` });
  } else if (text === 'buttons') {
    await send('choice', {
      text: 'Which color?',
      options: [
        { label: 'Blue', value: 'blue' },
        { label: 'Green', value: 'green' },
      ],
    });
  } else if (text === 'count') {
    const state = { type: 'conversation', id: conversationId, name: 'counter' };
    const { state: counter } = await client.getOrSetState({ ...state, payload: { count: 0 } });
    // With the id of the event, a repeated event is not counted twice.
    const isRepeated = counter.payload.last === event.id;
    const count = counter.payload.count + (isRepeated ? 0 : 1);
    await client.setState({ ...state, payload: { count, last: event.id }, expiry: 24 * 60 * 60 * 1000 });
    await send('text', { text: `You asked ${count} times.` });
  } else if (text === 'file') {
    const { file } = await client.uploadFile({
      key: `notes-${event.id}.txt`,
      content: 'Notes of the bot',
      accessPolicies: ['public_content'],
    });
    await send('file', { fileUrl: file.url, title: 'notes.txt' });
  } else {
    await send('text', { text: `You said: ${text}` });
  }
}

/** Whether the server has signed the request with the secret of the bot (https://www.standardwebhooks.com). */
function isSigned({ headers }, body) {
  const key = Buffer.from(SIGNING_SECRET.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  const signature = Buffer.from(String(headers['webhook-signature']));
  return signature.length === expected.length && timingSafeEqual(signature, Buffer.from(expected));
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  if (!isSigned(request, body)) {
    response.writeHead(401).end();
    return;
  }
  try {
    await handle(JSON.parse(body).event);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error);
    // The server sends the event again.
    response.writeHead(500).end();
  }
});
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`The bot receives events at http://127.0.0.1:${server.address().port}/`);
});
