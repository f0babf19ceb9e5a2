// The states of a conversation as a shop has it: answers, long texts, an Arabic one, and the controls of messages.
import { expect } from '../support/fixtures.ts';
import type { Scene, State, WidgetStage } from './state.ts';
import { button, newConversation, newVisitor, openWindow } from './window.ts';

const answer = `Your order **A-1001** was delivered on Friday. You can send it back:

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

/** The page of a visitor whose script tag has these attributes, with the window open. */
const openWith = (attributes: string) => async (stage: WidgetStage) => {
  await newVisitor(stage, attributes);
  await stage.chat.launcher.click();
};

const preChatForm = JSON.stringify({
  text: 'Tell us who you are.\nThen we begin.',
  name: 'required',
  email: 'required',
  topics: ['Prices', { label: 'My order', value: 'order' }],
  fields: [{ name: 'number', label: 'Order number' }],
  consent: 'I agree that my data is stored.',
});
const link = (title: string, address: string) => JSON.stringify({ title, link: address });

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
    surface: 'Launcher',
    begin: (stage) =>
      newVisitor(stage, 'data-proactive-message="Can I help you find a bicycle?" data-proactive-delay="0"'),
    states: [
      {
        name: 'a proactive message',
        isForced: true,
        enter: ({ page }) => expect(page.locator('.greeting')).toBeVisible(),
      },
    ],
  },
  {
    surface: 'Panels of the window',
    begin: openWith(`data-pre-chat-form='${preChatForm}'`),
    states: [
      {
        name: 'the form before the chat',
        enter: ({ chat }) => expect(chat.window.getByLabel('Order number')).toBeVisible(),
      },
      {
        name: 'the form before the chat, with mistakes',
        async enter({ chat }) {
          await button(chat, 'Start the chat').click();
          await expect(chat.window.locator('[aria-invalid="true"]').first()).toBeVisible();
        },
      },
    ],
  },
  {
    surface: 'Panels of the window',
    begin: (stage) =>
      openWindow(
        stage,
        `data-phone='${link('+41 31 123 45 67', 'tel:+41311234567')}' data-email='${link('shop@example.com', 'mailto:shop@example.com')}' data-website='${link('example.com', 'https://example.com')}' data-privacy-policy='${link('Privacy', 'https://example.com/privacy')}'`,
      ),
    states: [
      {
        name: 'contact and legal',
        async enter({ chat }) {
          await button(chat, 'Contact and legal').click();
        },
      },
    ],
  },
  {
    surface: 'Panels of the window',
    begin: openWindow,
    states: [
      {
        name: 'the question before data is deleted',
        async enter({ chat }) {
          await chat.choose('Delete my data');
          await expect(chat.window.getByRole('alertdialog')).toBeVisible();
        },
      },
      {
        name: 'data was deleted',
        async enter({ chat }) {
          const dialog = chat.window.getByRole('alertdialog');
          await dialog.getByRole('button').last().click();
          await expect(dialog.getByText('Your data was deleted')).toBeVisible();
        },
      },
    ],
  },
  {
    surface: 'Panels of the window',
    begin: (stage) => openWindow(stage, 'data-transcript-mail'),
    states: [
      {
        name: 'the conversation by mail',
        async enter({ chat }) {
          await chat.choose('Send conversation by e-mail');
          await expect(chat.window.getByRole('alertdialog').getByRole('textbox')).toBeVisible();
        },
      },
    ],
  },
  {
    surface: 'Window',
    begin: (stage) =>
      openWindow(stage, 'data-expandable data-dockable data-resizable data-window-size="expanded"'),
    states: [
      {
        name: 'expanded',
        isWhole: true,
        enter: ({ chat }) => chat.botReplies({ type: 'markdown', markdown: answer }),
      },
    ],
  },
  {
    surface: 'Window',
    begin: (stage) =>
      openWindow(stage, 'data-expandable data-dockable data-resizable data-window-size="docked"'),
    states: [
      {
        name: 'docked to the side',
        isWhole: true,
        enter: ({ chat }) => chat.botReplies({ type: 'markdown', markdown: answer }),
      },
    ],
  },
  {
    surface: 'Window',
    begin: openWindow,
    states: [
      {
        name: 'the connection is interrupted',
        async enter({ chat, page }) {
          await page.route(/\/listen/, (route) => route.abort());
          await page.context().setOffline(true);
          await expect(chat.window.getByText('You are offline.').first()).toBeVisible();
          await page.context().setOffline(false);
          await expect(chat.window.getByText('The connection is interrupted.').first()).toBeVisible();
        },
        leave: ({ page }) => page.unroute(/\/listen/),
      },
    ],
  },
  {
    surface: 'Window',
    async begin(stage) {
      await stage.page.route(/\/users$/, () => {});
      await newVisitor(stage);
    },
    states: [
      {
        name: 'connecting',
        async enter({ chat }) {
          await chat.launcher.click();
          await expect(chat.input).toBeVisible();
        },
        leave: ({ page }) => page.unroute(/\/users$/),
      },
    ],
  },
];
