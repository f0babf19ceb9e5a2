// The abilities of the demo bot for visitors of Northwind Bikes: answers from its notes (notes.ts), and actions.
import type { Bot, BotEvent } from '../src/protocol/bot.ts';
import type { SettledInterrupt } from '../src/protocol/interrupts.ts';
import type { Payload } from '../src/protocol/message.ts';
import { findProduct, products, type Section, sections, type Topic, topics } from './notes.ts';
import { pause, write } from './writing.ts';

type Card = Payload & { type: 'card' };

type Answer = (bot: Bot, event: BotEvent, request: string) => Promise<unknown>;

/** Actions of the bot, before it looks into its notes: the first match counts. */
const actions: { asks: RegExp; answer: Answer }[] = [
  { asks: /\bwhat (can|do) (you|i) (do|know|ask|show)\b|^(please )?help( me)?\W*$/i, answer: sayAbilities },
  { asks: /\b(who|what) are you\b|\bare you (a|an|human|real)\b/i, answer: sayWhoItIs },
  { asks: /\b(book|appointment)\b/i, answer: sendBooking },
  { asks: /\b(return|refund)\b.*\border\b/i, answer: offerReturn },
  { asks: /\badd\b.*\b(cart|basket)\b/i, answer: addToCart },
  { asks: /\b(remove|delete|empty|clear|take)\b.*\b(cart|basket)\b/i, answer: removeFromCart },
  { asks: /\b(my|the) (cart|basket)\b/i, answer: readCart },
  { asks: /\b(check ?out|pay)\b/i, answer: sayNothingIsSold },
  {
    asks: /\b(talk|speak|chat)\b.*\b(person|human|someone|somebody|agent|colleague)\b/i,
    answer: askForPerson,
  },
  { asks: /^(a |an )?(real )?(human|agent|operator)( please)?\W*$/i, answer: askForPerson },
  { asks: /\b(show|see)\b.*\bbikes\b/i, answer: showBikes },
  {
    asks: /^(?!.*\b(return|repair|service)).*\b(buy|need|want|looking for)\b.*\bbikes?\b/i,
    answer: showBikes,
  },
];

/** The function that answers a question of a visitor; undefined if the bot does not know the answer. */
export function findAnswer(request: string): Answer | undefined {
  const action = actions.find(({ asks }) => asks.test(request));
  if (action) return action.answer;
  const topic = topics.find(({ asks }) => asks.test(request)) ?? aboutProduct(request);
  return topic && ((bot) => answerWithSources(bot, topic));
}

/** The note about the product that a question names. */
function aboutProduct(request: string): Topic | undefined {
  const asks = /\b(how much|prices?|costs?|cheap\w*|about|have|sell|buy|need|want|looking for)\b/i;
  const product = asks.test(request) && findProduct(request);
  if (!product) return undefined;
  const { name, price, about } = product;
  return {
    asks,
    answer: `**${name}**, CHF ${price}: ${about} [bikes].`,
    next: [`Add the ${name} to my cart`, 'Show me your bikes'],
  };
}

/** Questions that the bot can answer, for visitors who do not know what to ask. */
export const questions = ['How long does a service take?', 'Show me your bikes', 'Book a service'];

/** Says something that needs no source, with questions that could come next. */
async function sayWith(bot: Bot, text: string, next: string[]): Promise<void> {
  const answer = bot.stream();
  await write(answer, text);
  answer.suggest(next);
  await answer.end();
}

function sayAbilities(bot: Bot): Promise<void> {
  return sayWith(
    bot,
    `I can:

- answer questions about workshop, delivery, returns and opening hours, with sources
- show the bikes, and compare them
- book the workshop
- take back order A-1, if you approve
- fill and empty the cart of this page, if you approve
- ask a person to come

Write **menu** to see all kinds of messages that this chat can show.`,
    [...questions, 'Return order A-1'],
  );
}

function sayWhoItIs(bot: Bot): Promise<void> {
  return sayWith(
    bot,
    'I am the demo bot of Northwind Bikes: a small program that looks for words, in English, without a language model. A bot or a model of yours can be in my place.',
    ['What can you do?', 'Talk to a person'],
  );
}

function sayNothingIsSold(bot: Bot): Promise<void> {
  return sayWith(
    bot,
    'This shop is a demo: it sells nothing, and you cannot pay. I can fill your cart, and take an order back.',
    ['What is in my cart?', 'Return order A-1'],
  );
}

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

async function showBikes(bot: Bot): Promise<void> {
  await bot.reply({ type: 'carousel', items: bikes(bot) });
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
async function offerReturn(bot: Bot, _: BotEvent, request: string): Promise<void> {
  const [number = 'A-1'] = /\b[a-z]+-?\d+\b/i.exec(request) ?? [];
  if (!/^a-?1$/i.test(number))
    return sayWith(bot, `I find no order ${number}. This shop is a demo, and has the order A-1 only.`, [
      'Return order A-1',
      'How long can I return a bike?',
    ]);
  const answer = bot.stream();
  const { signal } = answer;
  const order = answer.tool({ name: 'get_order', title: 'Looking up order A-1', input: { order: 'A-1' } });
  await pause(700, signal);
  order.done({ item: 'Dome helmet', delivered: 'Friday' });
  const rule = answer.tool({ name: 'check_return', title: 'Checking the 30 days', input: { order: 'A-1' } });
  await pause(700, signal);
  rule.done({ allowed: true, daysLeft: 26 });
  await write(answer, 'The helmet was delivered on Friday. You have 26 days left to send it back.');
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
  const product = findProduct(request);
  if (!product)
    return void (await bot.reply({
      type: 'choice',
      text: 'I did not find that in the shop. It has these:',
      options: products.map(({ name }) => ({ label: name, value: `Add the ${name} to my cart` })),
    }));
  const quantity = Number(/\b[1-9]\b/.exec(request)?.[0] ?? 1);
  const { name, price } = product;
  const things =
    quantity === 1 ? `“${name}” for CHF ${price}` : `${quantity} × “${name}” for CHF ${price} each`;
  await askPage(bot, event, {
    toolName: 'add_to_cart',
    title: 'Add to the cart',
    message: `Put ${things} into your cart?`,
    input: { product: name, quantity },
    done: `**${name}** is in your cart`,
  });
}

/** Asks the page to take a product out of its cart, or all of them. */
async function removeFromCart(bot: Bot, event: BotEvent, request: string): Promise<void> {
  const name = findProduct(request)?.name;
  await askPage(bot, event, {
    toolName: 'remove_from_cart',
    title: 'Remove from the cart',
    message: name ? `Take “${name}” out of your cart?` : 'Empty your cart?',
    input: name ? { product: name } : {},
    done: name ? `**${name}** is out of your cart` : 'Your cart is empty',
  });
}

/** Calls a tool of the page that changes its cart. `done`: what the bot says then. */
async function askPage(
  bot: Bot,
  event: BotEvent,
  call: { toolName: string; title: string; message: string; input: object; done: string },
): Promise<void> {
  const { toolName, title, message, input, done } = call;
  if (!hasTool(event, toolName)) return sayNoCart(bot);
  const answer = bot.stream();
  const tool = answer.tool({ name: toolName, title, input });
  await answer.interrupt({
    reason: 'client_tool',
    toolName,
    message,
    tool,
    state: { purpose: 'cart', done },
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
  const inbox = `${bot.publicUrl}/console/?list=unassigned`;
  const markdown = `I call a colleague. This shop is a demo, so perhaps nobody is there: if this server is yours, answer in the [inbox](${inbox}) yourself. The button below brings me back.`;
  await bot.reply({ type: 'markdown', markdown });
  await bot.sendEvent({ type: 'answered_by', by: 'person' });
  const { accepted, opensAt } = await bot.handoff({ reason: 'The visitor asked for a person' });
  if (accepted) return;
  await bot.sendEvent({ type: 'answered_by', by: 'bot' });
  const when = opensAt ? ` They are back on ${dayOf(opensAt)}.` : '';
  await sayWith(bot, `My colleagues have gone home, so I go on.${when}`, questions);
}

/** The bot answers again, and the page is told. It has not read what was written in the meantime. */
export async function comeBack(bot: Bot): Promise<void> {
  await bot.sendEvent({ type: 'answered_by', by: 'bot' });
  await sayWith(
    bot,
    'I answer again. I have not read what you wrote in the meantime: please ask again.',
    questions,
  );
}

/** A day in words, such as “Friday 4 December”. */
const dayOf = (date: string | Date): string =>
  new Date(date).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });

/** Goes on after one of the questions above was answered. Returns false if it asked something else. */
export async function goOnInShop(
  { payload, state }: SettledInterrupt,
  messageId: string,
  bot: Bot,
): Promise<boolean> {
  const { purpose, toolId, done } = Object(state) as { purpose?: string; toolId?: string; done?: string };
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
    if (cart) await say(cart.items > 0 ? `${done}: ${count(cart.items)}, CHF ${cart.total}.` : `${done}.`);
    else if (payload?.error) await say(`The page could not do that: ${String(payload.error).slice(0, 200)}`);
    else await say('Good, I changed nothing.');
  } else if (purpose === 'read') {
    const cart = payload?.result as { products: { name: string; quantity: number }[] } | undefined;
    const list = (cart?.products ?? []).map((product) => `- ${product.quantity} × ${product.name}`);
    await say(list.length > 0 ? `In your cart:\n\n${list.join('\n')}` : 'Your cart is empty.');
  } else if (purpose === 'booking') {
    await confirmBooking(Object(payload), bot);
  } else return false;
  return true;
}

/** Reserves a place in the workshop, unless it is closed on that day. */
async function confirmBooking(
  { day, name, isPickup }: { day?: unknown; name?: unknown; isPickup?: unknown },
  bot: Bot,
): Promise<void> {
  const wish = day ? new Date(String(day)) : undefined;
  // The first moment of today, as dates without a time have.
  const today = new Date().toISOString().slice(0, 10);
  const refusal =
    wish && (wish < new Date(today) ? 'is over' : wish.getUTCDay() === 0 ? 'is our day off' : undefined);
  if (wish && refusal)
    return sayWith(bot, `${dayOf(wish)} ${refusal}. Shall we try another day?`, [
      'Book a service',
      'When are you open?',
    ]);
  const when = wish ? `on **${dayOf(wish)}**` : 'on the next free day';
  const where = isPickup ? 'We pick the bike up at your place' : 'Bring the bike before six';
  const visitor = String(name).slice(0, 100);
  await bot.reply({
    type: 'markdown',
    markdown: `Thank you, ${visitor}. Your place in the workshop is reserved ${when}. ${where}. (This shop is a demo: nobody waits for you.)`,
  });
}

const count = (items: number): string => (items === 1 ? '1 item' : `${items} items`);

/** The block that the demo page draws (demo/site/demo/site.js), for a returned order. */
const returned = {
  id: 'A-1',
  steps: ['Ordered', 'Delivered', 'Label sent', 'Refunded'],
  done: 3,
  items: [{ name: 'Dome helmet', price: 'CHF 89.00' }],
};
