// A bot that throws an error with a cause for every text that begins with "fail", and repeats all others. It is separate
// because the place of the error in its file is shown.

/** @type {import('../../../src/protocol/bot.ts').BotHandler} */
const failingBot = async (event, bot) => {
  if (event.type !== 'text') return;
  if (event.preview.startsWith('fail')) {
    throw new RangeError('The stock has no item 7', { cause: new Error('secret-of-the-shop') });
  }
  await bot.reply({ type: 'text', text: `You said: “${event.preview}”` });
};
export default failingBot;
