// A bot that follows instructions, which tests send as JSON in the text of a message (or of an event's payload):
// { reply, parts, updatePart, show, configure, typing, stream, interval, ask, abort, handoff, echo }. A piece of `stream` is a text, a
// gate, or a part; `interval` are the milliseconds from one text to the next, `ask` the questions that end it. It repeats anything
// else that it receives.

/** @type {import('../../../src/protocol/bot.ts').BotHandler} */
const scriptedBot = async (event, bot) => {
  if (event.type === 'conversation_started') {
    await bot.reply({ type: 'text', text: 'I am the demo bot’s scripted double.' });
    return;
  }
  if (event.type === 'resume') await finishTools(event, bot);
  const script = parse(event.preview);
  for (const payload of script.reply ?? []) {
    await bot.reply(payload, script.parts && { parts: script.parts });
  }
  if (script.updatePart) await bot.updatePart(...script.updatePart);
  if (script.show) await bot.setVisibility(script.show);
  if (script.configure) await bot.configure(script.configure);
  if (script.typing !== undefined) bot.typing(script.typing);
  if (script.stream) {
    const answer = bot.stream();
    const tools = new Map();
    const begin = performance.now();
    let texts = 0;
    for (const piece of script.stream) {
      if (answer.signal.aborted) break;
      if (typeof piece === 'string') {
        texts += 1;
        // By the clock: the duration of the whole answer is the same on a slow machine.
        await write(answer, piece, script.interval && begin + texts * script.interval - performance.now());
      } else if (!piece.until) call(answer, tools, piece);
      else await waitAtGate(answer, piece);
    }
    const interrupts = script.ask?.map(({ tool, ...question }) => ({
      ...question,
      ...(tool && { tool: tools.get(tool), state: { toolId: tools.get(tool).id } }),
    }));
    if (script.abort) answer.abort();
    else if (interrupts?.length === 1) await answer.interrupt(interrupts[0]);
    else await answer.end(undefined, interrupts && { interrupts });
  }
  if (script.handoff) await bot.handoff(script.handoff);
  if (script.echo || Object.keys(script).length === 0) {
    await bot.reply({ type: 'text', text: `received ${event.type} ${JSON.stringify(event.payload)}` });
  }
};
export default scriptedBot;

/** Ends the tools that waited for an answer. */
async function finishTools({ messageId, payload }, bot) {
  for (const { payload: answer, state } of payload.interrupts) {
    const result = answer?.approved ? 'output-available' : 'output-denied';
    if (state?.toolId) await bot.updatePart(messageId, state.toolId, { state: result });
  }
}

/** The pause lets each piece arrive as a delta of its own. */
async function write(answer, piece, pause = 5) {
  answer.write(piece);
  await new Promise((resolve) => setTimeout(resolve, pause));
}

/** Calls a function of the answer: `{status: 'Searching'}`, `{tool: {name: 'a'}}`, `{done: 'a', output: 1}`, `{failed: 'a', text}`. */
function call(answer, tools, { done, failed, ...piece }) {
  if (done) tools.get(done).done(piece.output);
  else if (failed) tools.get(failed).failed(piece.text);
  else {
    const [name] = Object.keys(piece);
    const value = piece[name];
    const result = name === 'block' ? answer.block(...value) : answer[name](value);
    if (name === 'tool') tools.set(value.name, result);
  }
}

/** Waits at the gate `until` (request-gate.ts) until it opens or the answer is stopped; writes `text` meanwhile. */
async function waitAtGate(answer, { until, text }) {
  let isClosed = true;
  const opened = fetch(until, { signal: answer.signal })
    .catch(() => {})
    .finally(() => {
      isClosed = false;
    });
  while (text && isClosed) await write(answer, text);
  await opened;
}

function parse(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
