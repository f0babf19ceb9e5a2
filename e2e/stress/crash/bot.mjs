// The bot of `npm run test:stress crash`: writes down each event before it answers, then replies, waits, and streams. It keeps
// nothing in memory: what a killed server had begun is for the server to know.
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between the two answers: room for a kill. */
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
