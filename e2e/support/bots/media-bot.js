// A bot that begins a conversation with Markdown, a picture and a sound of this server. It is separate because its pages
// have no text box at first, and it needs the public address of the server.

/** @type {import('../../../src/protocol/bot.ts').BotHandler} */
const mediaBot = async (event, bot) => {
  if (event.type !== 'conversation_started') return;
  await bot.reply({ type: 'markdown', markdown: 'Some **bold** words ![far](https://images.test/a.svg)' });
  await bot.reply({ type: 'image', imageUrl: `${bot.publicUrl}/demo/media/photo.svg`, title: 'A picture' });
  await bot.reply({ type: 'audio', audioUrl: `${bot.publicUrl}/demo/media/tone.wav`, title: 'A tone' });
};
export default mediaBot;
