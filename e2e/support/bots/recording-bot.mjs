// The bot of the crash test and of the stress test of a cluster: records in a file when it begins and ends with each event,
// replies, pauses, and streams. It is separate because it keeps no state in memory: recovering after a kill is the server's
// task.
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between the two answers, in which a fault can happen. */
const thinking = 5;

const note = (fields) => appendFileSync(process.env.EVENT_RECORD ?? '', `${JSON.stringify(fields)}\n`);

/** @type {import('../../../src/protocol/bot.ts').BotHandler} */
const bot = async (event, bot) => {
  const { id, type, messageId, preview, conversationId } = event;
  const mark = { id, conversationId, pid: process.pid };
  note({ ...mark, step: 'begin', type, messageId, preview });
  await bot.reply({ type: 'text', text: `begin ${preview}` });
  await pause(thinking);
  const answer = bot.stream();
  answer.write('end ');
  answer.write(preview);
  await answer.end();
  note({ ...mark, step: 'end' });
};

export default bot;
