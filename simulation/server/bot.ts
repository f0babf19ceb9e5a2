// The bot of the simulation: the first word of a message says what it does. It records every run.
import type { Bot, BotEvent, BotHandler } from '../../src/protocol/bot.ts';
import type { Realm } from '../engine/realm.ts';

/**
 * `echo`, `slow` and `stream` answer once, the last in pieces. `twice` answers two times. `throw` fails at the first attempt, `hang`
 * never returns from it. `person` asks for a person.
 */
export const botWords = ['echo', 'slow', 'stream', 'twice', 'throw', 'hang', 'person'] as const;
export type BotWord = (typeof botWords)[number];

/** A run of the handler. */
export interface BotRun {
  eventId: string;
  conversationId: string;
  type: string;
  text: string;
  messageId: string | undefined;
  end: 'returned' | 'failed' | undefined;
}

/** @param realm of the process that runs the handler */
export function createBot(runs: BotRun[], realm: () => Realm): BotHandler {
  const pause = (ms: number) => new Promise<void>((resolve) => void realm().setTimer(resolve, ms, false));

  const answer = async (word: string, text: string, bot: Bot, isFirst: boolean) => {
    if (word === 'slow') await pause(3_000);
    if (word === 'throw' && isFirst) throw new Error('The bot fails.');
    if (word === 'hang' && isFirst) await new Promise(() => {});
    if (word === 'person') {
      await bot.handoff({ reason: 'simulated' });
      return;
    }
    if (word === 'stream') {
      const stream = bot.stream();
      for (const piece of ['answer ', 'to ', text]) {
        stream.write(piece);
        await pause(40);
      }
      await stream.end();
      return;
    }
    await bot.reply({ type: 'text', text: `answer to ${text}` });
    await bot.patchState('conversation', 'latest', { text });
    if (word === 'twice') await bot.reply({ type: 'text', text: `second answer to ${text}` });
  };

  return async (event: BotEvent, bot) => {
    const isFirst = !runs.some(({ eventId }) => eventId === event.id);
    const run: BotRun = {
      eventId: event.id,
      conversationId: event.conversationId ?? '',
      type: event.type,
      text: event.preview,
      messageId: event.messageId,
      end: undefined,
    };
    runs.push(run);
    try {
      if (event.type === 'conversation_started') await bot.reply({ type: 'text', text: 'Welcome' });
      if (event.type === 'text') await answer(event.preview.split(' ')[0] ?? '', event.preview, bot, isFirst);
      run.end = 'returned';
    } catch (error) {
      run.end = 'failed';
      throw error;
    }
  };
}
