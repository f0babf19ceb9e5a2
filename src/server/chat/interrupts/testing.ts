// A bot that asks, and what its tests read: used by the tests of interrupts.
import { expect } from 'vitest';
import type { AnswerInterrupt, Bot, BotHandler, ResumeEvent } from '../../../protocol/bot.ts';
import type { Message } from '../../../protocol/message.ts';
import type { PartOf } from '../../../protocol/parts.ts';
import { byColumn, pollOptions, type TestServer } from '../../testing.ts';

export type InterruptPart = PartOf<'interrupt'>;

/** Text in the state of every interrupt: only the bot may see it. */
export const canary = 'canary-state-5f1c';

export const approval: AnswerInterrupt = {
  reason: 'tool_call',
  message: 'Send 20 EUR back?',
  state: { secret: canary },
};

/**
 * Returns a handler that asks when a visitor writes `ask`, and the events `resume` that it got. `ask`: by default, to approve a tool;
 * `onResume`: by default, updates the tool and answers.
 */
export function askingBot({
  ask = askToRefund,
  onResume = answerResume,
}: {
  ask?: (bot: Bot) => Promise<unknown>;
  onResume?: (event: ResumeEvent, bot: Bot) => Promise<unknown>;
} = {}) {
  const resumed: ResumeEvent[] = [];
  /** The events that the bot received, in order. */
  const handled: string[] = [];
  const handler: BotHandler = async (event, bot) => {
    handled.push(event.type === 'text' ? event.preview : event.type);
    if (event.type === 'resume') {
      resumed.push(event);
      await onResume(event, bot);
    } else if (event.preview === 'ask') await ask(bot);
  };
  return { handler, resumed, handled };
}

export async function askToRefund(bot: Bot): Promise<Message> {
  const answer = bot.stream();
  answer.write('I can do that.');
  const tool = answer.tool({ name: 'refund', title: 'Refund', input: { amount: 20, order: 'A-1' } });
  return answer.interrupt({ ...approval, tool });
}

async function answerResume({ messageId, payload: { interrupts } }: ResumeEvent, bot: Bot): Promise<void> {
  const isApproved = interrupts.every(({ payload }) => payload?.approved === true);
  if (isApproved) await bot.updatePart(messageId, 'p1', { state: 'output-available', output: 'done' });
  await bot.reply({ type: 'text', text: isApproved ? 'Done.' : 'Not done.' });
}

/** A visitor with a conversation, to whom the bot of this server puts a question. */
export async function askedVisitor(server: TestServer) {
  const visitor = await server.user();
  const conversationId = await server.conversation(visitor.key);
  await server.sendMessage(visitor.key, conversationId, 'ask');
  const messages = async (on = server): Promise<Message[]> => {
    const { body } = await on.call('GET', `/conversations/${conversationId}/messages`, { key: visitor.key });
    return (body.messages as Message[]).reverse();
  };
  /** The interrupts of all messages. */
  const interrupts = async (on = server): Promise<InterruptPart[]> =>
    (await messages(on)).flatMap(({ parts = [] }) =>
      parts.filter((part): part is InterruptPart => part.type === 'interrupt'),
    );
  await expect.poll(async () => (await interrupts()).length, pollOptions).toBeGreaterThan(0);
  const [first] = await interrupts();
  const id = first?.id ?? '';
  const respond = (body: unknown, { on = server, key = visitor.key, of = id, headers = {} } = {}) =>
    on.call('POST', `/interrupts/${of}/response`, { key, body, headers });
  return { ...visitor, userId: visitor.id, conversationId, id, messages, interrupts, respond };
}

export const approve = { status: 'resolved', payload: { approved: true } };
export const refuse = { status: 'resolved', payload: { approved: false } };

/** Resolves when the bot of this server has handled all events. */
export const idle = (server: TestServer) =>
  expect
    .poll(
      () => server.db.read((tx) => tx.all("SELECT 1 FROM deliveries WHERE state = 'waiting'")),
      pollOptions,
    )
    .toEqual([]);

/** The rows of interrupts. */
export const rowsOf = (server: TestServer) =>
  server.db.read(async (tx) =>
    (await tx.all<Record<string, unknown>>('SELECT * FROM interrupts ORDER BY id')).map(byColumn),
  );
