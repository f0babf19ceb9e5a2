// The states of a conversation as a shop has it: answers, long texts, an Arabic one, and the controls of messages.
import type { Route } from '@playwright/test';
import type { Message } from '../../src/protocol/message.ts';
import { expect } from '../support/fixtures.ts';
import type { Scene, State, WidgetStage } from './state.ts';
import { button, newConversation, openWindow, openWith } from './visitor.ts';

export const answer = `Your order **A-1001** was delivered on Friday. You can send it back:

1. Print the label.
2. Bring the parcel to a shop.

| Item | Price |
|---|--:|
| City bike | 640.00 |
| Helmet | 59.90 |

The rate is $r = \\frac{a}{b} \\cdot 100$, and in code:

\`\`\`js
const total = items.reduce((sum, { price }) => sum + price, 0);
\`\`\`

> Refunds take *three* days.`;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const isSent = ({ chat }: WidgetStage) =>
  expect(chat.window.locator('.row[data-status="sending"]')).toHaveCount(0);

const states: State<WidgetStage>[] = [
  {
    name: 'an answer with list, table, formula and code',
    async enter({ chat }) {
      await chat.send('Can I send my order back?');
      await expect(chat.botRows).toHaveCount(2);
      const row = await chat.botReplies({ type: 'markdown', markdown: answer });
      await expect(row.locator('math').first()).toBeVisible();
      await expect(row.getByRole('table')).toBeVisible();
    },
  },
  {
    name: 'several messages of each side',
    async enter(stage) {
      const { chat } = stage;
      for (const text of ['Hello!', 'I have a question.', 'Where is my parcel?']) await chat.send(text);
      await expect(chat.botRows).toHaveCount(4);
      for (const text of ['It is in Bern.', 'It arrives tomorrow, before noon, if you are at home.'])
        await chat.botReplies({ type: 'text', text });
      await isSent(stage);
    },
  },
  {
    name: 'long words and addresses',
    async enter({ chat }) {
      await chat.send('Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft');
      await expect(chat.botRows).toHaveCount(2);
      const text = `Look at https://example.com/${'a-long-address-'.repeat(8)} or ${'x'.repeat(120)}`;
      await chat.botReplies({
        type: 'markdown',
        markdown: `${text}\n\n| ${'Wide column '.repeat(6)} | B |\n|---|---|\n| 1 | 2 |`,
      });
    },
  },
  {
    name: 'a conversation in Arabic',
    async enter({ chat }) {
      await chat.send('أين طردي؟');
      await expect(chat.botRows).toHaveCount(2);
      await chat.botReplies({
        type: 'markdown',
        markdown:
          'طلبك **A-1001** في الطريق:\n\n1. غادر المستودع يوم الاثنين.\n2. يصل غداً قبل الظهر.\n\n> التوصيل مجاني.',
      });
      await chat.botReplies({
        type: 'choice',
        text: 'هل تريد شيئاً آخر؟',
        options: ['نعم', 'لا، شكراً'].map((label) => ({ label, value: label })),
      });
    },
  },
  {
    name: 'the bot has failed',
    async enter({ chat }) {
      await chat.send('fail');
      await expect(chat.window.getByText('Sorry, no answer came.')).toBeVisible();
    },
  },
  {
    name: 'the buttons of a message',
    async enter({ chat }) {
      await chat.botReplies({ type: 'text', text: 'It is in Bern.' });
      await chat.botRows.last().hover();
      await button(chat, /^Good answer: It is/).click();
    },
  },
  {
    name: 'a draft of several lines',
    async enter({ chat }) {
      await chat.input.fill('Hello,\n\nI have ordered a bicycle.\nThe color is wrong.\n\nCan I change it?');
    },
    leave: ({ chat }) => chat.input.fill(''),
  },
];

const questions = [
  'Where is my parcel?',
  'It should have come yesterday.',
  'Can I change the address? I have moved, and nobody is at home in the old flat.',
  'Do you repair lamps?',
  'And helmets?',
  'Thank you!',
];
const history = /\/conversations\/[^/]+\/messages(\?|$)/;

/** Answers a list of messages, of which the newest four are of this day, the next ones of the day before, and so on. */
async function spreadOverDays(route: Route): Promise<void> {
  if (route.request().method() !== 'GET') return route.continue();
  const response = await route.fetch();
  const { messages, ...rest } = (await response.json()) as { messages: Message[] };
  const moved = messages.map((message, index) => {
    const at = Date.parse(message.createdAt) - Math.floor(index / 5) * dayMs - index * minuteMs;
    return { ...message, createdAt: new Date(at).toISOString() };
  });
  await route.fulfill({ response, json: { ...rest, messages: moved } });
}

export const conversationScenes: Scene<WidgetStage>[] = [
  { surface: 'Conversation', begin: newConversation, isSeparate: true, states },
  {
    surface: 'Conversation',
    begin: openWith(
      `data-starters='["Where is my parcel?","Can I change my order?","Repairs"]' data-ai-notice`,
    ),
    states: [
      {
        name: 'suggestions at the begin',
        async enter({ chat }) {
          await expect(button(chat, 'Where is my parcel?')).toBeVisible();
        },
      },
    ],
  },
  {
    surface: 'Conversation',
    begin: (stage) => openWindow(stage, 'data-edit-enabled data-regenerate-enabled'),
    states: [
      {
        name: 'a message is edited',
        async enter({ chat }) {
          await chat.send('Where is my parcle?');
          await expect(chat.botRows).toHaveCount(2);
          await chat.rows.filter({ hasText: 'parcle' }).hover();
          await button(chat, /^Edit message: /).click();
          await expect(chat.window.getByRole('textbox', { name: 'Edit message' })).toBeVisible();
        },
      },
    ],
  },
  {
    surface: 'Conversation',
    begin: openWindow,
    states: [
      {
        name: 'messages of several days',
        async enter({ chat, page }) {
          for (const [index, text] of questions.entries()) {
            await chat.send(text);
            await expect(chat.botRows).toHaveCount(index + 2);
          }
          await page.route(history, spreadOverDays);
          await chat.reopen();
          await expect(chat.window.locator('.rows .day')).toHaveCount(3);
          await chat.window.locator('.viewport').hover();
          // Days and messages before the newest ones.
          await page.mouse.wheel(0, -300);
          await expect(button(chat, 'Go to the newest message')).toBeVisible();
        },
        leave: ({ page }) => page.unroute(history),
      },
    ],
  },
];
