// A normal conversation, which proves that the server still works.
import { ChatClient } from '../../../src/client/index.ts';
import { pollUntil } from '../../support/poll.ts';
import { waitForMessage } from '../../support/test-data/create.ts';

/** Has a conversation with the server. Returns the problems, one line each. */
export async function checkConversation(chatUrl: string, prototype: string): Promise<string[]> {
  const faults: string[] = [];
  const hello = await fetch(`${chatUrl}/hello`);
  if (!hello.ok) faults.push(`hello responds with ${hello.status}`);
  await hello.text();
  const client = new ChatClient({ chatUrl });
  client.userKey = (await client.createUser({})).key;
  const conversationId = (await client.createConversation({})).conversation.id;
  const received: string[] = [];
  const stream = client.listen(conversationId, {
    lastEventId: '0',
    onSignal: (signal) => signal.type === 'message_created' && received.push(signal.data.id),
  });
  try {
    await client.createMessage({ conversationId, payload: { type: 'text', text: 'prototype?' } });
    const answer = await waitForMessage(
      client,
      conversationId,
      ({ payload }) => 'text' in payload && / /.test(payload.text),
    );
    if (!('text' in answer.payload) || answer.payload.text !== prototype) {
      faults.push(`the prototype of objects was changed: ${JSON.stringify(answer.payload)}`);
    }
    const stored = (await client.list.messages({ conversationId }).collect()).map(({ id }) => id).reverse();
    await pollUntil('the stream delivers every message', () => received.length >= stored.length);
    if (received.join() !== stored.join()) faults.push(`received ${received}, stored ${stored}`);
  } finally {
    stream.close();
  }
  return faults;
}
