// A bot that does what it is told, in JSON: for tests of what the widget makes of a bot's words.

/** @type {import('../../src/protocol/bot.ts').BotHandler} */
const puppet = async (event, bot) => {
  if (event.type === 'conversation_started') {
    await bot.reply({ type: 'text', text: 'I am the demo bot’s puppet.' });
    return;
  }
  const told = read(event.preview);
  for (const payload of told.say ?? []) await bot.reply(payload);
  if (told.show) await bot.setVisibility(told.show);
  if (told.configure) await bot.configure(told.configure);
  if (told.typing !== undefined) bot.typing(told.typing);
  if (told.stream) {
    const answer = bot.stream();
    for (const piece of told.stream) {
      if (answer.signal.aborted) break;
      if (typeof piece === 'string') await write(answer, piece);
      else await pass(answer, piece);
    }
    if (told.abort) answer.abort();
    else await answer.end();
  }
  if (told.echo || Object.keys(told).length === 0) {
    await bot.reply({ type: 'text', text: `heard ${event.type} ${JSON.stringify(event.payload)}` });
  }
};
export default puppet;

/** So that pieces come one by one. */
async function write(answer, piece) {
  answer.write(piece);
  await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Stands before the gate `until` (e2e/support/request-gate.ts) until it is opened or the answer is stopped; says `text` meanwhile. */
async function pass(answer, { until, text }) {
  let isShut = true;
  const opened = fetch(until, { signal: answer.signal })
    .catch(() => {})
    .finally(() => {
      isShut = false;
    });
  while (text && isShut) await write(answer, text);
  await opened;
}

function read(text) {
  try {
    const told = JSON.parse(text);
    return typeof told === 'object' && told !== null ? told : {};
  } catch {
    return {};
  }
}
