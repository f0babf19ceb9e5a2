// Measures the server alone: how many messages visitors can send in a second, and how long one takes meanwhile.
import { randomUUID } from 'node:crypto';
import type { Case } from '../measure.ts';

/** Visitors who send at the same time, each one message after the other. */
const visitors = 16;
const messagesEach = 50;

async function post<Answer>(address: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

export const postCases: Case[] = [
  {
    name: 'messages of visitors',
    times: 5,
    async run({ platform: { chatUrl } }) {
      const senders = await Promise.all(
        Array.from({ length: visitors }, async () => {
          const { key } = await post<{ key: string }>(`${chatUrl}/users`, {});
          const headers = { 'x-user-key': key };
          const { conversation } = await post<{ conversation: { id: string } }>(
            `${chatUrl}/conversations`,
            {},
            headers,
          );
          return { headers, conversationId: conversation.id };
        }),
      );
      const durations: number[] = [];
      const begin = performance.now();
      await Promise.all(
        senders.map(async ({ headers, conversationId }) => {
          for (let n = 0; n < messagesEach; n += 1) {
            const sent = performance.now();
            const payload = { type: 'text', text: `Message ${n}` };
            // As the widget sends them.
            const key = { 'idempotency-key': randomUUID() };
            await post(`${chatUrl}/messages`, { conversationId, payload }, { ...headers, ...key });
            durations.push(performance.now() - sent);
          }
        }),
      );
      const seconds = (performance.now() - begin) / 1_000;
      durations.sort((a, b) => a - b);
      const at = (share: number) => durations[Math.floor(durations.length * share)] ?? 0;
      return {
        'per second': [durations.length / seconds, ''],
        'median response': [at(0.5), 'ms'],
        'slowest hundredth': [at(0.99), 'ms'],
      };
    },
  },
];
