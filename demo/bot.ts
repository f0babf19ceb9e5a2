// The demo bot: shows every capability on request and is meant to be copied. It keeps no state and calls nobody.
import type { Bot, BotEvent, BotHandler } from '../src/protocol/bot.ts';
import type { Payload } from '../src/protocol/message.ts';

/** The server sets PUBLIC_URL before the first event: links in messages have to be absolute. */
const link = (path: string): string => `${process.env.PUBLIC_URL ?? 'http://127.0.0.1:3000'}${path}`;

const bot: BotHandler = async (event, bot) => {
  // A button sends its value along with its label; what was typed has only the text.
  const asked = String(event.payload.value ?? event.preview)
    .trim()
    .toLowerCase();
  const ability = abilities.find(({ word }) => word === asked);
  if (event.type === 'conversation_started') await greet(bot);
  else if (event.type === 'custom') await answerPage(event, bot);
  else if (event.type === 'feedback') await answerFeedback(event, bot);
  else if (fileTypes.includes(event.type)) await answerFile(event, bot);
  else if (ability) await ability.show(bot);
  else await answer(event, bot);
};
export default bot;

/** What the bot can show: the word that asks for it, and how it is shown. */
const abilities: { word: string; show(bot: Bot): Promise<unknown> }[] = [
  { word: 'menu', show: (bot) => bot.reply(menu()) },
  {
    word: 'text',
    show: (bot) => bot.reply({ type: 'text', text: 'Plain text, with a link: https://example.com' }),
  },
  { word: 'markdown', show: (bot) => bot.reply({ type: 'markdown', markdown: markdown() }) },
  { word: 'image', show: (bot) => bot.reply(image()) },
  {
    word: 'audio',
    show: (bot) => bot.reply({ type: 'audio', audioUrl: link('/demo/media/tone.wav'), title: 'A tone' }),
  },
  {
    word: 'video',
    show: (bot) =>
      bot.reply({ type: 'video', videoUrl: link('/demo/media/clip.webm'), title: 'A short clip' }),
  },
  {
    word: 'file',
    show: (bot) => bot.reply({ type: 'file', fileUrl: link('/demo/media/guide.txt'), title: 'guide.txt' }),
  },
  {
    word: 'location',
    show: (bot) =>
      bot.reply({
        type: 'location',
        latitude: 46.9481,
        longitude: 7.4474,
        title: 'Zytglogge',
        address: 'Bern, Switzerland',
      }),
  },
  { word: 'card', show: (bot) => bot.reply(card('Basic plan', 'For one website')) },
  {
    word: 'carousel',
    show: (bot) =>
      bot.reply({
        type: 'carousel',
        items: [
          card('Basic plan', 'For one website'),
          card('Team plan', 'For up to ten people'),
          card('Company plan', 'For everybody'),
        ],
      }),
  },
  {
    word: 'choice',
    show: (bot) =>
      bot.reply({ type: 'choice', text: 'Which one?', options: options(['text', 'image', 'card']) }),
  },
  {
    word: 'dropdown',
    show: (bot) =>
      bot.reply({
        type: 'dropdown',
        text: 'Pick one:',
        options: options(['markdown', 'location', 'carousel']),
      }),
  },
  {
    word: 'bloc',
    show: (bot) =>
      bot.reply({
        type: 'bloc',
        items: [
          { type: 'text', text: 'Several things in one message:' },
          image(),
          { type: 'markdown', markdown: markdown() },
        ],
      }),
  },
  { word: 'streaming', show: stream },
  { word: 'typing', show: (bot) => think(bot, 2_000, 'That took two seconds of typing.') },
  { word: 'slow', show: (bot) => think(bot, 10_000, 'Good things take ten seconds.') },
  {
    word: 'event',
    show: async (bot) => {
      await bot.sendEvent({ type: 'greeting', text: 'Hello, page!' });
      await bot.reply({ type: 'text', text: 'I sent a custom event to the page.' });
    },
  },
  {
    word: 'upload',
    show: (bot) => bot.reply({ type: 'text', text: 'Send me a file, and I will tell you what came.' }),
  },
  {
    word: 'feedback',
    show: (bot) =>
      bot.reply({
        type: 'text',
        text: 'Tell me what you think of this answer with the thumbs below it, and I will hear of it.',
      }),
  },
  {
    word: 'hide',
    show: async (bot) => {
      await bot.reply({ type: 'text', text: 'I close the window. Open it again when you like.' });
      await bot.setVisibility('hide');
    },
  },
  {
    word: 'theme',
    show: async (bot) => {
      await bot.configure({ color: '#7b2d8e' });
      await bot.reply({ type: 'text', text: 'The window is purple now.' });
    },
  },
  { word: 'long', show: (bot) => bot.reply({ type: 'markdown', markdown: long() }) },
  {
    word: 'error',
    show: async () => {
      throw new Error('The visitor asked for an error.');
    },
  },
];

async function greet(bot: Bot): Promise<void> {
  const name = bot.user.name ? `, ${bot.user.name}` : '';
  await bot.reply({
    type: 'choice',
    text: `Hello${name}! I am the demo bot. Ask me anything, or pick one:`,
    options: options(['menu', 'streaming', 'carousel']),
  });
}

async function answer(event: BotEvent, bot: Bot): Promise<void> {
  await bot.reply({
    type: 'choice',
    text: `You said: “${event.preview.slice(0, 200)}”. I am only a demo, but I can show what a bot can send.`,
    options: options(['menu', 'card', 'streaming']),
  });
}

/** The page sent a custom event (`platform.sendEvent`): say so to the visitor, and answer the page. */
async function answerPage(event: BotEvent, bot: Bot): Promise<void> {
  const data = event.payload.data ?? event.payload;
  await bot.sendEvent({ type: 'received', data });
  const json = JSON.stringify(data, null, 2).slice(0, 2_000);
  await bot.reply({
    type: 'markdown',
    markdown: `The page sent me an event:\n\n\`\`\`json\n${json}\n\`\`\``,
  });
}

/** The visitor said what they think of a message, or took it back. */
async function answerFeedback({ payload }: BotEvent, bot: Bot): Promise<void> {
  if (payload.value === 'none') return;
  const text = payload.value === 'positive' ? 'Thank you!' : 'I am sorry. What should I have said?';
  await bot.reply({ type: 'text', text });
}

const fileTypes: string[] = ['image', 'audio', 'video', 'file', 'bloc'];

/** The visitor sent files, one or several in one message: say what came. */
async function answerFile({ payload }: BotEvent, bot: Bot): Promise<void> {
  const items = (payload.type === 'bloc' ? payload.items : [payload]) as { type: string; title?: string }[];
  const names = items
    .filter(({ type }) => fileTypes.includes(type))
    .map(({ type, title }) => (title ? `${type} “${title.slice(0, 200)}”` : type));
  await bot.reply({ type: 'text', text: `You sent: ${names.join(', ') || 'nothing I know'}.` });
}

/** Writes a Markdown answer piece by piece, as a language model does, and stops when nobody wants it any more. */
async function stream(bot: Bot): Promise<void> {
  const answer = bot.stream();
  for (const piece of markdown().match(/\s*\S+/g) ?? []) {
    if (answer.signal.aborted) break;
    answer.write(piece);
    await pause(40, answer.signal);
  }
  await answer.end();
}

async function think(bot: Bot, milliseconds: number, text: string): Promise<void> {
  bot.typing(true);
  await pause(milliseconds, bot.signal);
  await bot.reply({ type: 'text', text });
}

/** Waits; rejects when the event is over. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}

function menu(): Payload {
  return {
    type: 'choice',
    text: 'Here is everything I can show:',
    options: options(abilities.map(({ word }) => word)),
  };
}

function options(words: string[]): { label: string; value: string }[] {
  return words.map((word) => ({ label: word.charAt(0).toUpperCase() + word.slice(1), value: word }));
}

function image(): Payload & { type: 'image' } {
  return { type: 'image', imageUrl: link('/demo/media/photo.svg'), title: 'A drawing' };
}

function card(title: string, subtitle: string): Payload & { type: 'card' } {
  return {
    type: 'card',
    title,
    subtitle,
    imageUrl: link('/demo/media/photo.svg'),
    actions: [
      { action: 'say', label: 'Tell me more', value: 'markdown' },
      { action: 'url', label: 'Open the website', value: 'https://example.com' },
    ],
  };
}

const markdown = (): string => `## What Markdown can do

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

![A drawing of a bicycle](${link('/demo/media/photo.svg')})

> And a quotation at the end.`;

function long(): string {
  const paragraph = 'A long answer shows how the window scrolls and where the reading position stays. ';
  return Array.from({ length: 20 }, (_, index) => `### Part ${index + 1}\n\n${paragraph.repeat(4)}`).join(
    '\n\n',
  );
}
