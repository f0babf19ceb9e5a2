// The bot of `npm run test:stress fuzz`: gives back what it gets by every tool that takes something, so that what got in has to get
// out. Asked for it, it tells whether the prototype of all objects was changed.

/** @type {import('../../../src/protocol/bot.ts').BotHandler} */
const bot = async (event, bot) => {
  const { type, payload, preview } = event;
  if (type === 'conversation_started') {
    await bot.reply({ type: 'text', text: 'Hello' });
  } else if (preview === 'prototype?') {
    await bot.reply({ type: 'text', text: Reflect.ownKeys(Object.prototype).map(String).sort().join(' ') });
  } else if (type === 'custom') {
    await bot.sendEvent(payload);
    await bot.configure(payload).catch((error) => {
      // A configuration that is none: the bot's fault, not the server's.
      if (error.name !== 'TypeError' && error.name !== 'ApiError') throw error;
    });
  } else if (type !== 'feedback') {
    const { metadata } = bot.message ?? {};
    await bot.reply(payload, metadata ? { metadata } : {});
    if (preview === '') return;
    const answer = bot.stream();
    answer.write(preview.slice(0, 1_000));
    await answer.end();
  }
};

export default bot;
