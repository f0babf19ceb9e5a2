// The bot of the fuzz test: returns its input through every method of the bot API, so that accepted input is also sent.
// It is separate because no input may instruct it. On request it lists the properties of Object.prototype, to detect prototype pollution.

/** Events that are not answered: people do. */
const ofHandoffs = [
  'handoff_requested',
  'conversation_assigned',
  'handoff_ended',
  'conversation_closed',
  'conversation_rated',
  'message_for_person',
];

/** @type {import('../../../src/protocol/bot.ts').BotHandler} */
const bot = async (event, bot) => {
  const { type, payload, preview } = event;
  if (type === 'conversation_started') {
    await bot.reply({ type: 'text', text: 'Hello' });
  } else if (preview === 'prototype?') {
    await bot.reply({ type: 'text', text: Reflect.ownKeys(Object.prototype).map(String).sort().join(' ') });
  } else if (type === 'resume') {
    await bot.reply({ type: 'text', text: JSON.stringify(payload.interrupts) });
  } else if (type === 'custom') {
    await bot.sendEvent(payload);
    await bot.configure(payload).catch((error) => {
      // The payload is not a valid configuration, which is an error of the bot and not of the server.
      if (error.name !== 'TypeError' && error.name !== 'ApiError') throw error;
    });
  } else if (type !== 'feedback' && !ofHandoffs.includes(type)) {
    const { metadata } = bot.message ?? {};
    await bot.reply(payload, metadata ? { metadata } : {});
    if (preview === '') return;
    const answer = bot.stream();
    answer.write(preview.slice(0, 1_000));
    await answer.end();
  }
};

export default bot;
