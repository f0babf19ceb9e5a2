// A payload of every type, as a bot can send it, for the states of the window (window.ts): the samples of the demo
// bot, except for the types whose tests need a certain content.
import demo from '../../demo/bot.ts';
import type { Bot, BotEvent } from '../../src/protocol/bot.ts';
import type { Payload, PayloadType } from '../../src/protocol/message.ts';
import { payloadTypes } from '../../src/protocol/schemas/payloads.ts';
import type { ChatPage } from '../support/chat-page.ts';

type Make = (chat: ChatPage) => Payload | Promise<Payload>;

/** The payload that the demo bot sends when a visitor writes the name of its type. */
async function sampleOf(type: PayloadType, publicUrl: string): Promise<Payload> {
  const sent: Payload[] = [];
  const reply = async (payload: Payload) => void sent.push(payload);
  // The parts of the event and of the bot that its samples of payloads read.
  await demo(
    { type: 'text', payload: {}, preview: type } as BotEvent,
    { publicUrl, reply } as unknown as Bot,
  );
  const [payload] = sent;
  if (payload?.type !== type || sent.length !== 1)
    throw new Error(`demo/bot.ts: no sample of the type ${type}`);
  return payload;
}

const picture = (chat: ChatPage) => `${chat.platform.url}/demo/media/photo.svg`;
const markdown = (chat: ChatPage) =>
  `## A title\n\nSome **bold** words, \`code\` and a [link](https://example.org).\n\n- [x] done\n\n| Plan | Price |\n|---|---|\n| Basic | 0 |\n\n\`\`\`js\nlet a = "text"; // note\n\`\`\`\n\n![A drawing](${picture(chat)})\n\n![Elsewhere](https://elsewhere.test/a.png)\n\n> A quotation.`;

/** The only payload below whose name is not a type. */
export const broken = 'image that cannot be loaded';

const samples = Object.fromEntries(
  payloadTypes.map((type): [PayloadType, Make] => [type, (chat) => sampleOf(type, chat.platform.url)]),
) as Record<PayloadType, Make>;
const { choice: _, ...others } = samples;

/** Every payload that a bot can send. The choice is the last one, because the next state answers it. */
export const payloads: Record<PayloadType | typeof broken, Make> = {
  ...others,
  text: () => ({ type: 'text', text: 'Look at https://example.org' }),
  // With a picture of another origin, which is not loaded.
  markdown: (chat) => ({ type: 'markdown', markdown: markdown(chat) }),
  [broken]: () => ({ type: 'image', imageUrl: 'ftp://example.org/a.png', title: 'Lost' }),
  choice: () => ({
    type: 'choice',
    text: 'Which one?',
    options: ['Yes', 'No'].map((label) => ({ label, value: label })),
  }),
};
