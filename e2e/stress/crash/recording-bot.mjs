// The bot of the crash test: records each event in a file before it answers, then replies, pauses, and streams. It keeps no
// state in memory, because recovering after a kill is the server's task.
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between the two answers, in which a kill can happen. */
const thinking = 5;

/** @type {import('../../../src/protocol/bot.ts').BotHandler} */
const bot = async (event, bot) => {
  const { id, type, messageId, preview } = event;
  appendFileSync(process.env.CRASH_RECORD ?? '', `${JSON.stringify({ id, type, messageId, preview })}\n`);
  await bot.reply({ type: 'text', text: `begin ${preview}` });
  await pause(thinking);
  const answer = bot.stream();
  answer.write('end ');
  answer.write(preview);
  await answer.end();
};

export default bot;
