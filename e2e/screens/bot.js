// The bot of the screens: the scripted bot of the tests (scripted-bot.js), with sentences that a shop would write.
import scriptedBot from '../support/bots/scripted-bot.js';

/** @type {import('../../src/protocol/bot.ts').BotHandler} */
const bot = async (event, bot) => {
  const isScript = event.preview?.startsWith('{');
  if (event.type === 'conversation_started')
    await bot.reply({ type: 'text', text: 'Hello! I help with orders, returns and repairs.' });
  else if (event.preview === 'fail') throw new Error('The order service does not answer.');
  else if (event.type === 'text' && !isScript)
    await bot.reply({ type: 'text', text: 'Thank you. I have noted that for you.' });
  else if (event.type === 'resume' || isScript) await scriptedBot(event, bot);
};
export default bot;
