// A bot that replies to every event with the type of the event, and the languages and the time zone that it has got.

/** @type {import('../../../src/protocol/bot.ts').BotHandler} */
const localeBot = async (event, bot) => {
  await bot.reply({ type: 'text', text: `${event.type} ${JSON.stringify(event.locale ?? null)}` });
};
export default localeBot;
