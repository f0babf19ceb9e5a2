// A bot that replies to every event with the type of the event, and the languages and the time zone that it has got. It is
// separate because it also replies to the start of a conversation, without an instruction.

/** @type {import('../../../src/protocol/bot.ts').BotHandler} */
const localeBot = async (event, bot) => {
  await bot.reply({ type: 'text', text: `${event.type} ${JSON.stringify(event.locale ?? null)}` });
};
export default localeBot;
