// The knowledge of the demo bot about Northwind Bikes, a shop that does not exist, and its actions for visitors of the shop.
import type { Bot, BotEvent } from '../src/protocol/bot.ts';
import type { SettledInterrupt } from '../src/protocol/interrupts.ts';
import type { Payload } from '../src/protocol/message.ts';
import { pause, write } from './writing.ts';

type Card = Payload & { type: 'card' };

/** The products of the shop, as on its page (demo/site/index.html). `words`: how visitors name it. Prices in Swiss francs. */
export const products = [
  {
    id: 'city',
    name: 'Fjord',
    price: 1190,
    words: /fjord|city/,
    about: 'City bike with eight gears and lights',
  },
  {
    id: 'gravel',
    name: 'Ridge',
    price: 1890,
    words: /ridge|gravel/,
    about: 'Gravel bike for roads and tracks',
  },
  { id: 'cargo', name: 'Porter', price: 3900, words: /porter|cargo/, about: 'Cargo bike that carries 80 kg' },
  {
    id: 'helmet',
    name: 'Dome helmet',
    price: 89,
    words: /helmet|dome/,
    about: 'Light, with a magnetic clasp',
  },
  { id: 'light', name: 'Beam light', price: 59, words: /light|beam/, about: '60 lux, charged by USB-C' },
  { id: 'bag', name: 'Market bag', price: 75, words: /bag|market/, about: 'Fits every rack, waterproof' },
] as const;

/** The sections of the page that answers refer to. */
const sections = {
  bikes: 'Bikes and gear',
  workshop: 'Workshop',
  delivery: 'Delivery and returns',
  visit: 'Visit us',
} as const;
type Section = keyof typeof sections;

interface Topic {
  /** Questions about the topic match. */
  asks: RegExp;
  /** Markdown. `[workshop]` becomes the number of the source. */
  answer: string;
  /** Questions that could come next. */
  next: string[];
}

const topics: Topic[] = [
  {
    asks: /\b(service|maintenance|tune[- ]?up)\b/i,
    answer: `A full service takes **one working day**: bring the bike before six, and ride it home the next afternoon [workshop].

- Brakes, gears and bearings are adjusted, the wheels are trued.
- It costs **CHF 120**. We call before we replace a part [workshop].
- No appointment on Saturdays: the workshop is open from nine to four [visit].`,
    next: ['Book a service', 'What does a puncture cost?'],
  },
  {
    asks: /\b(punctures?|flat (tyre|tire)|inner tubes?)\b/i,
    answer:
      'We repair a puncture **while you wait**, in about 20 minutes, for CHF 25 with a new tube [workshop].',
    next: ['When are you open?', 'How long does a service take?'],
  },
  {
    asks: /\b(deliver|delivery|shipping)\b/i,
    answer: `Gear is sent the same day and arrives in **two days**. Bikes are built up and brought by our own van within **one week**, ready to ride [delivery].

Delivery is free above CHF 100 [delivery].`,
    next: ['How long can I return a bike?', 'Show me your bikes'],
  },
  {
    asks: /\b(return|returns|warranty|guarantee)\b/i,
    answer:
      'You can return everything within **30 days**, also after a ride in the rain [delivery]. Frames have a guarantee of ten years.',
    next: ['Return order A-1', 'Compare your bikes'],
  },
  {
    asks: /\b(opening hours|(are|when|do) you open|open on|your address)\b/i,
    answer: `Monday to Friday from **8 to 18**, Saturdays from **9 to 16** [visit]. You find us at Wheel Lane 7, two minutes from the station.`,
    next: ['How long does a service take?', 'Talk to a person'],
  },
  {
    asks: /\bcompare\b|\bwhich bike\b/i,
    answer: `| | Fjord | Ridge | Porter |
|---|---|---|---|
| For | town | tracks, long days | children, shopping |
| Weight | 15 kg | 9.8 kg | 29 kg |
| Gears | 8, in the hub | 12 | 8, in the hub |
| Price | CHF 1190 | CHF 1890 | CHF 3900 |

If it has to carry a week of shopping, take the **Porter**; otherwise most people are happiest with the **Fjord** [bikes].`,
    next: ['Add the Fjord to my cart', 'Show me your bikes'],
  },
];

type Answer = (bot: Bot, event: BotEvent, request: string) => Promise<unknown>;

/** Actions of the bot, before it looks into its notes: the first match counts. */
const actions: { asks: RegExp; answer: Answer }[] = [
  { asks: /\bbook\b|\bappointment\b/i, answer: sendBooking },
  { asks: /\b(show|see)\b.*\bbikes\b/i, answer: (bot) => bot.reply({ type: 'carousel', items: bikes(bot) }) },
  { asks: /\b(return|refund)\b.*\border\b/i, answer: offerReturn },
  { asks: /\badd\b.*\b(cart|basket)\b/i, answer: addToCart },
  { asks: /\b(my|the) (cart|basket)\b/i, answer: readCart },
  { asks: /\b(talk|speak) (to|with) (a person|a human|someone|somebody)\b/i, answer: askForPerson },
];

/** The function that answers a question of a visitor; undefined if the bot does not know the answer. */
export function findAnswer(request: string): Answer | undefined {
  const action = actions.find(({ asks }) => asks.test(request));
  if (action) return action.answer;
  const topic = topics.find(({ asks }) => asks.test(request));
  return topic && ((bot) => answerWithSources(bot, topic));
}

/** Questions that the bot can answer, for visitors who do not know what to ask. */
export const questions = ['How long does a service take?', 'Show me your bikes', 'Book a service'];

/** Streams an answer whose sources are sections of the page. */
async function answerWithSources(bot: Bot, { answer: text, next }: Topic): Promise<void> {
  const answer = bot.stream();
  answer.status('Reading the notes of the shop…');
  await pause(500, answer.signal);
  answer.status('');
  const cited = text.replace(/\[(\w+)\]/g, (_, name: Section) => {
    const url = `${bot.publicUrl}/#${name}`;
    return `[${answer.source({ title: sections[name], url })}]`;
  });
  await write(answer, cited);
  answer.suggest(next);
  await answer.end();
}

function bikes(bot: Bot): Card[] {
  return products.slice(0, 3).map(({ id, name, price, about }) => ({
    type: 'card',
    title: `${name}, CHF ${price}`,
    subtitle: about,
    imageUrl: `${bot.publicUrl}/demo/media/${id}.svg`,
    actions: [{ action: 'say', label: `Add ${name} to my cart`, value: `Add ${name} to my cart` }],
  }));
}

/** Looks the order up in two steps, then asks before it refunds. The answer arrives as the event `resume`. */
async function offerReturn(bot: Bot): Promise<void> {
  const answer = bot.stream();
  const { signal } = answer;
  const order = answer.tool({ name: 'get_order', title: 'Looking up order A-1', input: { order: 'A-1' } });
  await pause(700, signal);
  order.done({ item: 'Dome helmet', delivered: 'Friday' });
  const rule = answer.tool({ name: 'check_return', title: 'Checking the 30 days', input: { order: 'A-1' } });
  await pause(700, signal);
  rule.done({ allowed: true, daysLeft: 26 });
  const source = answer.source({ title: sections.delivery, url: `${bot.publicUrl}/#delivery` });
  await write(answer, `The helmet was delivered on Friday, so you can send it back [${source}].`);
  const input = { order: 'A-1', item: 'Dome helmet', amount: 'CHF 89.00' };
  const tool = answer.tool({ name: 'refund_order', title: 'Refund order A-1', input });
  const state = { purpose: 'return', toolId: tool.id };
  await answer.interrupt({
    reason: 'tool_call',
    message: 'Shall I send a label and refund it?',
    tool,
    state,
  });
}

/** Asks the page to fill its cart. The visitor approves; the result arrives as the event `resume`. */
async function addToCart(bot: Bot, event: BotEvent, request: string): Promise<void> {
  const product = products.find(({ words }) => words.test(request.toLowerCase()));
  if (!product) {
    const names = products.map(({ name }) => name).join(', ');
    return void (await bot.reply({
      type: 'text',
      text: `I did not find that in the shop. It has: ${names}.`,
    }));
  }
  if (!hasTool(event, 'add_to_cart')) return sayNoCart(bot);
  const answer = bot.stream();
  const input = { product: product.id, quantity: 1 };
  const tool = answer.tool({ name: 'add_to_cart', title: 'Add to the cart', input });
  await answer.interrupt({
    reason: 'client_tool',
    toolName: 'add_to_cart',
    message: `Put “${product.name}” for CHF ${product.price} into your cart?`,
    tool,
    state: { purpose: 'cart', name: product.name },
  });
}

/** The page says what is in the cart. It only reads, so the visitor is not asked. */
async function readCart(bot: Bot, event: BotEvent): Promise<void> {
  if (!hasTool(event, 'get_cart')) return sayNoCart(bot);
  const answer = bot.stream();
  const tool = answer.tool({ name: 'get_cart', title: 'Looking into the cart' });
  const message = 'Looking into the cart';
  await answer.interrupt({
    reason: 'client_tool',
    toolName: 'get_cart',
    message,
    tool,
    state: { purpose: 'read' },
  });
}

const hasTool = ({ client }: BotEvent, name: string): boolean =>
  client?.tools?.some((tool) => tool.name === name) ?? false;

async function sayNoCart(bot: Bot): Promise<void> {
  await bot.reply({ type: 'text', text: 'This page offers no cart to me. The demo page does.' });
}

async function sendBooking(bot: Bot): Promise<void> {
  const answer = bot.stream();
  await answer.interrupt({
    reason: 'input_required',
    message: 'When shall we look at your bike?',
    responseSchema: {
      type: 'object',
      properties: {
        work: {
          type: 'string',
          title: 'Work',
          oneOf: [
            { const: 'service', title: 'Full service, CHF 120' },
            { const: 'puncture', title: 'Puncture, CHF 25' },
            { const: 'other', title: 'Something else' },
          ],
        },
        day: { type: 'string', title: 'Day', format: 'date' },
        name: { type: 'string', title: 'Your name', minLength: 2, maxLength: 100 },
        isPickup: { type: 'boolean', title: 'Pick the bike up at my place' },
      },
      required: ['work', 'name'],
    },
    state: { purpose: 'booking' },
  });
}

async function askForPerson(bot: Bot): Promise<void> {
  const text =
    'I ask a colleague: the bar below says when somebody comes, and has a button to go on with me instead.';
  await bot.reply({ type: 'text', text });
  const { accepted } = await bot.handoff({ reason: 'The visitor asked for a person' });
  if (!accepted) await bot.reply({ type: 'text', text: 'Nobody is there now, so I go on.' });
}

/** Goes on after one of the questions above was answered. Returns false if it asked something else. */
export async function goOnInShop(
  { payload, state }: SettledInterrupt,
  messageId: string,
  bot: Bot,
): Promise<boolean> {
  const { purpose, toolId, name } = Object(state) as { purpose?: string; toolId?: string; name?: string };
  const say = (text: string) => bot.reply({ type: 'markdown', markdown: text });
  if (purpose === 'return' && toolId) {
    const isApproved = payload?.approved === true;
    await bot.updatePart(messageId, toolId, { state: isApproved ? 'output-available' : 'output-denied' });
    if (!isApproved) await say('Good, you keep the helmet. Nothing was refunded.');
    else {
      const answer = bot.stream();
      answer.write('Done: the label is in your mailbox, and **CHF 89.00** are on their way to your card.');
      answer.block('order', returned, 'Order A-1: on its way back');
      await answer.end();
    }
  } else if (purpose === 'cart') {
    const cart = payload?.result as { items: number; total: number } | undefined;
    if (cart) await say(`**${name}** is in your cart: ${count(cart.items)}, CHF ${cart.total}.`);
    else if (payload?.error) await say(`The page could not do that: ${String(payload.error).slice(0, 200)}`);
    else await say('Good, I changed nothing.');
  } else if (purpose === 'read') {
    const cart = payload?.result as { products: { name: string; quantity: number }[] } | undefined;
    const list = (cart?.products ?? []).map((product) => `- ${product.quantity} × ${product.name}`);
    await say(list.length > 0 ? `In your cart:\n\n${list.join('\n')}` : 'Your cart is empty.');
  } else if (purpose === 'booking') {
    const day = payload?.day ? `on **${payload.day}**` : 'on the next free day';
    const where = payload?.isPickup ? 'We pick the bike up at your place' : 'Bring the bike before six';
    const visitor = String(payload?.name).slice(0, 100);
    await say(
      `Thank you, ${visitor}. Your place in the workshop is reserved ${day}. ${where}. (This shop is a demo: nobody waits for you.)`,
    );
  } else return false;
  return true;
}

const count = (items: number): string => (items === 1 ? '1 item' : `${items} items`);

/** The block that the demo page draws (demo/site/demo/site.js), for a returned order. */
const returned = {
  id: 'A-1',
  steps: ['Ordered', 'Delivered', 'Label sent', 'Refunded'],
  done: 3,
  items: [{ name: 'Dome helmet', price: '89.00 CHF' }],
};
