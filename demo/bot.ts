// The demo bot: answers questions about a shop (shop.ts), and sends a sample of every message type on request. It has no state, and
// is meant to be copied.
import type { Bot, BotEvent, BotHandler, ResumeEvent } from '../src/protocol/bot.ts';
import type { Payload } from '../src/protocol/message.ts';
import { comeBack, findAnswer, goOnInShop, questions } from './shop.ts';
import { pause, write } from './writing.ts';

/** Links in messages must be absolute. */
const link = (bot: Bot, path: string): string => bot.publicUrl + path;

const bot: BotHandler = async (event, bot) => {
  // A pressed button sends a value in addition to its label; a typed message has only the text.
  const request = String(event.payload.value ?? event.preview).trim();
  const word = request.toLowerCase();
  const sample = samples.find(({ name }) => name === (word === 'show your steps' ? 'steps' : word));
  if (event.type === 'conversation_started') await greet(bot);
  else if (event.type === 'resume') await goOn(event, bot);
  else if (event.type === 'custom') await answerPage(event, bot);
  else if (event.type === 'feedback') await answerFeedback(event, bot);
  // The visitor has logged in: a bot that stores data by `event.userId` moves it from `event.payload.previousUserId`.
  else if (event.type === 'user_merged') return;
  else if (event.type === 'handoff_ended') await comeBack(bot);
  // A person answers, or is waited for: the bot can send nothing.
  else if (isHandoff(event.type)) return;
  else if (event.type === 'bloc' || isFile(event.payload)) await answerFiles(event, bot);
  else if (sample) await sample.send(bot);
  else await (findAnswer(request) ?? admitNotToKnow)(bot, event, request);
};
export default bot;

const isHandoff = (type: string): boolean =>
  [
    'handoff_requested',
    'conversation_assigned',
    'conversation_closed',
    'conversation_rated',
    'message_for_person',
  ].includes(type);

/** The samples: the message that requests a sample, and the function that sends it. */
const samples: { name: string; send(bot: Bot): Promise<unknown> }[] = [
  { name: 'menu', send: (bot) => bot.reply(menu()) },
  { name: 'person', send: (bot) => bot.reply(person) },
  {
    name: 'text',
    send: (bot) => bot.reply({ type: 'text', text: 'Plain text, with a link: https://example.com' }),
  },
  { name: 'markdown', send: (bot) => bot.reply({ type: 'markdown', markdown: markdown(bot) }) },
  { name: 'image', send: (bot) => bot.reply(image(bot)) },
  {
    name: 'audio',
    send: (bot) => bot.reply({ type: 'audio', audioUrl: link(bot, '/demo/media/tone.wav'), title: 'A tone' }),
  },
  {
    name: 'video',
    send: (bot) =>
      bot.reply({ type: 'video', videoUrl: link(bot, '/demo/media/clip.webm'), title: 'A short clip' }),
  },
  {
    name: 'file',
    send: (bot) =>
      bot.reply({ type: 'file', fileUrl: link(bot, '/demo/media/guide.txt'), title: 'guide.txt' }),
  },
  {
    name: 'location',
    send: (bot) =>
      bot.reply({
        type: 'location',
        latitude: 46.9481,
        longitude: 7.4474,
        title: 'Zytglogge',
        address: 'Bern, Switzerland',
      }),
  },
  { name: 'card', send: (bot) => bot.reply(card(bot, 'Basic plan', 'For one website')) },
  {
    name: 'carousel',
    send: (bot) =>
      bot.reply({
        type: 'carousel',
        items: [
          card(bot, 'Basic plan', 'For one website'),
          card(bot, 'Team plan', 'For up to ten people'),
          card(bot, 'Company plan', 'For everybody'),
        ],
      }),
  },
  {
    name: 'choice',
    send: (bot) =>
      bot.reply({ type: 'choice', text: 'Which one?', options: options(['text', 'image', 'card']) }),
  },
  {
    name: 'dropdown',
    send: (bot) =>
      bot.reply({
        type: 'dropdown',
        text: 'Pick one:',
        options: options(['markdown', 'location', 'carousel']),
      }),
  },
  {
    name: 'bloc',
    send: (bot) =>
      bot.reply({
        type: 'bloc',
        items: [
          { type: 'text', text: 'Several things in one message:' },
          image(bot),
          { type: 'markdown', markdown: markdown(bot) },
        ],
      }),
  },
  { name: 'streaming', send: stream },
  { name: 'steps', send: showSteps },
  { name: 'order', send: showOrder },
  { name: 'app', send: showApp },
  { name: 'formulas', send: (bot) => bot.reply({ type: 'markdown', markdown: formulas }) },
  { name: 'ask before acting', send: askBeforeActing },
  { name: 'form', send: sendForm },
  { name: 'typing', send: (bot) => think(bot, 2_000, 'That took two seconds of typing.') },
  { name: 'slow', send: (bot) => think(bot, 10_000, 'Good things take ten seconds.') },
  {
    name: 'event',
    send: async (bot) => {
      await bot.sendEvent({ type: 'greeting', text: 'Hello, page!' });
      await bot.reply({ type: 'text', text: 'I sent a custom event to the page.' });
    },
  },
  {
    name: 'upload',
    send: (bot) => bot.reply({ type: 'text', text: 'Send me a file, and I will reply with its name.' }),
  },
  {
    name: 'feedback',
    send: (bot) =>
      bot.reply({
        type: 'text',
        text: 'Tell me what you think of this answer with the thumbs below it, and I will receive it.',
      }),
  },
  {
    name: 'hide',
    send: async (bot) => {
      await bot.reply({ type: 'text', text: 'I close the window. Open it again when you like.' });
      await bot.setVisibility('hide');
    },
  },
  {
    name: 'theme',
    send: async (bot) => {
      await bot.configure({ color: '#7b2d8e' });
      await bot.reply({ type: 'text', text: 'The window is purple now.' });
    },
  },
  { name: 'long', send: (bot) => bot.reply({ type: 'markdown', markdown: long() }) },
  {
    name: 'error',
    send: async () => {
      throw new Error('The visitor asked for an error.');
    },
  },
];

async function greet(bot: Bot): Promise<void> {
  const name = bot.user.name ? `, ${bot.user.name}` : '';
  await bot.reply({
    type: 'choice',
    text: `Hello${name}! I am the demo bot of Northwind Bikes. Ask me about the workshop, the bikes or an order, or pick one:`,
    options: suggestions(),
  });
}

/** A bot that does not know an answer says so, and offers what it knows. */
async function admitNotToKnow(bot: Bot, event: BotEvent, request: string): Promise<void> {
  const words = [...event.preview];
  const said = `“${words.slice(0, 200).join('')}${words.length > 200 ? '…' : ''}”`;
  const text = /^(hi|hey|hello|good (morning|day|evening))\W*$/i.test(request)
    ? `You said: ${said}, and so do I. I can help with these:`
    : /^(many )?(thanks|thank you)\b.{0,30}$/i.test(request)
      ? 'You are welcome. I can help with these, too:'
      : `You said: ${said}. I have no notes about that, and I do not guess. I am a small demo in English, and know about these:`;
  await bot.reply({
    type: 'choice',
    text,
    options: [{ label: 'What can you do?', value: 'What can you do?' }, ...suggestions()],
  });
}

const suggestions = () => [
  ...questions.map((question) => ({ label: question, value: question })),
  ...options(['menu']),
];

/** The page sent a custom event (`platform.sendEvent`): tell the visitor, and send an event back to the page. */
async function answerPage(event: BotEvent, bot: Bot): Promise<void> {
  const data = event.payload.data ?? event.payload;
  await bot.sendEvent({ type: 'received', data });
  const json = JSON.stringify(data, null, 2).slice(0, 2_000);
  await bot.reply({
    type: 'markdown',
    markdown: `The page sent me an event:\n\n\`\`\`json\n${json}\n\`\`\``,
  });
}

/** The visitor gave feedback on a message, or removed it. */
async function answerFeedback({ payload }: BotEvent, bot: Bot): Promise<void> {
  if (payload.value === 'none') return;
  const text = payload.value === 'positive' ? 'Thank you!' : 'I am sorry. What should I have said?';
  await bot.reply({ type: 'text', text });
}

/** Whether a payload is a file: it has an address that is named after its type, as in `imageUrl`. */
const isFile = (payload: object): boolean => 'type' in payload && `${payload.type}Url` in payload;

/** The visitor sent one or several files in one message: reply with their names. */
async function answerFiles({ payload }: BotEvent, bot: Bot): Promise<void> {
  const items = (payload.type === 'bloc' ? payload.items : [payload]) as { type: string; title?: string }[];
  const names = items
    .filter(isFile)
    .map(({ type, title }) => (title ? `${type} “${title.slice(0, 200)}”` : type));
  await bot.reply({ type: 'text', text: `You sent: ${names.join(', ') || 'nothing I know'}.` });
}

/** Streams a Markdown message piece by piece, as a language model does, until the visitor stops it. */
async function stream(bot: Bot): Promise<void> {
  const message = bot.stream();
  await write(message, markdown(bot));
  await message.end();
}

/** The parts next to the text of an answer: a status, reasoning, steps, sources, suggestions and a block. */
async function showSteps(bot: Bot): Promise<void> {
  const answer = bot.stream();
  const { signal } = answer;
  answer.status('Reading your question…');
  await pause(800, signal);
  answer.reasoning('The number begins with A, so the order was made on the website. ');
  await pause(600, signal);
  answer.reasoning('Whether it can be returned depends on the day of delivery.');
  await pause(600, signal);
  answer.status('');
  const lookup = answer.tool({ name: 'get_order', title: 'Looking up order A-1', input: { id: 'A-1' } });
  await pause(1_500, signal);
  lookup.done({ status: 'delivered', day: '2026-11-20' });
  const stock = answer.tool({ name: 'check_stock', title: 'Asking the warehouse' });
  await pause(900, signal);
  stock.failed('The warehouse does not answer.');
  const returns = answer.source({ title: 'Returns', url: 'https://example.com/returns' });
  const terms = answer.source({ title: 'Terms of sale, section 4' });
  const text = `Your order was delivered on Friday. You can send it back **within thirty days** [${returns}], and the postage is ours [${terms}].`;
  await write(answer, text);
  answer.block('order', order, 'Order A-1: delivered');
  answer.suggest(['Send it back', { label: 'Show everything', value: 'menu' }]);
  await answer.end();
}

/** The blocks that the demo page draws (demo/site/demo/site.js). */
const order = {
  id: 'A-1',
  steps: ['Ordered', 'Packed', 'Delivered'],
  done: 3,
  items: [
    { name: 'City bike, rental', price: 'CHF 38.00' },
    { name: 'Helmet', price: 'CHF 11.90' },
  ],
};

/** An answer that is a block alone. */
async function showOrder(bot: Bot): Promise<void> {
  const answer = bot.stream();
  answer.block('order', order, 'Order A-1: delivered');
  await answer.end();
}

/** An app that counts, and can put a text into the message box. It is shown if the server has a sandbox origin. */
const app = `<!doctype html><html lang="en"><title>Seats</title>
<style>:root { color-scheme: light dark; font: 15px system-ui, sans-serif } button { min-width: 44px; min-height: 44px; font: inherit }</style>
<p>Seats: <output id="count">1</output></p>
<p><button id="less">−</button> <button id="more">+</button> <button id="ask">Ask for them</button></p>
<script>
  const say = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const by = (id) => document.getElementById(id);
  let count = 1;
  const show = (change) => { count = Math.min(9, Math.max(1, count + change)); by('count').textContent = count };
  by('less').onclick = () => show(-1);
  by('more').onclick = () => show(1);
  by('ask').onclick = () => say({ id: 2, method: 'ui/message',
    params: { role: 'user', content: [{ type: 'text', text: 'I would like ' + count + ' seats.' }] } });
  addEventListener('message', ({ data }) => {
    const { theme } = data.result?.hostContext ?? data.params ?? {};
    if (theme) document.documentElement.style.colorScheme = theme;
    if (data.method === 'ui/notifications/tool-input') { count = data.params.arguments.seats; show(0) }
    if (data.id !== 1) return;
    say({ method: 'ui/notifications/initialized' });
    say({ method: 'ui/notifications/size-changed', params: { height: document.documentElement.offsetHeight + 16 } });
  });
  say({ id: 1, method: 'ui/initialize',
    params: { protocolVersion: '2026-01-26', appInfo: { name: 'Seats', version: '1' }, appCapabilities: {} } });
</script></html>`;

async function showApp(bot: Bot): Promise<void> {
  const answer = bot.stream();
  answer.write('How many seats do you need?');
  const fallback = 'Here is an app. It is shown if the server has a sandbox origin (SANDBOX_ORIGIN).';
  answer.block('mcp-apps', { html: app, title: 'Seats', toolInput: { seats: 2 } }, fallback);
  await answer.end();
}

const formulas = `The solutions of $ax^2 + bx + c = 0$ are

$$x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$$

- With $a = 1$, $b = -3$ and $c = 2$ they are \\(x_1 = 2\\) and \\(x_2 = 1\\).
- $5 and $10 are prices.`;

/** Asks the visitor for approval of what a tool would do. The answer arrives as the event `resume`. */
async function askBeforeActing(bot: Bot): Promise<void> {
  const answer = bot.stream();
  answer.write('Your order A-1 was delivered on Friday, so it can still be sent back.');
  const input = { order: 'A-1', amount: 49.9, currency: 'CHF' };
  const tool = answer.tool({ name: 'refund_order', title: 'Refund order A-1', input });
  const message = 'Shall I refund the order?';
  await answer.interrupt({ reason: 'tool_call', message, tool, state: { toolId: tool.id } });
}

/** Asks the visitor for data. */
async function sendForm(bot: Bot): Promise<void> {
  const answer = bot.stream();
  await answer.interrupt({
    reason: 'input_required',
    message: 'When shall the new one arrive?',
    responseSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', minLength: 2, maxLength: 100 },
        email: { type: 'string', title: 'E-mail', format: 'email', description: 'Only for questions' },
        day: { type: 'string', title: 'Day', format: 'date' },
        size: {
          type: 'string',
          title: 'Size',
          oneOf: [
            { const: 's', title: 'Small' },
            { const: 'l', title: 'Large' },
          ],
        },
        isGift: { type: 'boolean', title: 'It is a gift' },
      },
      required: ['name', 'size'],
    },
  });
}

/** The visitor has answered, or has not. The event can be delivered twice: its id is the key for what must happen once. */
async function goOn({ messageId, payload }: ResumeEvent, bot: Bot): Promise<void> {
  for (const interrupt of payload.interrupts) {
    const { status, payload: formAnswers, state } = interrupt;
    if (status !== 'cancelled' && (await goOnInShop(interrupt, messageId, bot))) continue;
    const { toolId } = Object(state) as { toolId?: string };
    const isApproved = formAnswers?.approved === true;
    if (toolId)
      await bot.updatePart(messageId, toolId, { state: isApproved ? 'output-available' : 'output-denied' });
    // The visitor wrote something else, or nothing: there is nothing to say.
    if (status === 'cancelled') continue;
    const done = isApproved ? 'I have refunded 49.90 CHF.' : 'Nothing was refunded.';
    const text = toolId ? done : `Thank you, ${String(formAnswers?.name).slice(0, 100)}. It is on its way.`;
    await bot.reply({ type: 'text', text });
  }
}

async function think(bot: Bot, milliseconds: number, text: string): Promise<void> {
  bot.typing(true);
  await pause(milliseconds, bot.signal);
  await bot.reply({ type: 'text', text });
}

/** Its button asks for a person: somebody answers in the inbox, or gives the conversation back. */
const person: Payload = {
  type: 'card',
  title: 'Talk to a person',
  subtitle: 'Until they give the conversation back, I am silent.',
  actions: [{ action: 'handoff', label: 'Talk to a person', value: 'The visitor asked for a person' }],
};

function menu(): Payload {
  return {
    type: 'choice',
    text: 'Here is everything I can show:',
    options: options(samples.map(({ name }) => name)),
  };
}

function options(names: string[]): { label: string; value: string }[] {
  return names.map((name) => ({ label: name.charAt(0).toUpperCase() + name.slice(1), value: name }));
}

function image(bot: Bot): Payload & { type: 'image' } {
  return { type: 'image', imageUrl: link(bot, '/demo/media/photo.svg'), title: 'A drawing' };
}

function card(bot: Bot, title: string, subtitle: string): Payload & { type: 'card' } {
  return {
    type: 'card',
    title,
    subtitle,
    imageUrl: link(bot, '/demo/media/photo.svg'),
    actions: [
      { action: 'say', label: 'Tell me more', value: 'markdown' },
      { action: 'url', label: 'Open the website', value: 'https://example.com' },
    ],
  };
}

const markdown = (bot: Bot): string => `## What Markdown can do

Some **bold**, some *italic*, some \`code\`, and a [link](https://example.com).

1. A list
2. with numbers

- [x] a task that is done
- [ ] and one that is not

| Plan | Price |
|---|---|
| Basic | 0 |
| Team | 10 |

\`\`\`js
platform.open();
\`\`\`

![A drawing of a bicycle](${link(bot, '/demo/media/photo.svg')})

> And a quotation at the end.`;

function long(): string {
  const paragraph = 'A long answer shows how the window scrolls and where the reading position stays. ';
  return Array.from({ length: 20 }, (_, index) => `### Part ${index + 1}\n\n${paragraph.repeat(4)}`).join(
    '\n\n',
  );
}
