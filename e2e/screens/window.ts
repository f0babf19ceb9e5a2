// The states of launcher and window. The bot of the screens (bot.js) sends what they show.
import { Buffer } from 'node:buffer';
import type { ChatPage } from '../support/chat-page.ts';
import { startRequestGate } from '../support/faults/request-gate.ts';
import { expect } from '../support/fixtures.ts';
import { joinChat } from '../support/test-data/participants.ts';
import { payloads } from './payloads.ts';
import type { Scene, State, WidgetStage } from './state.ts';

const chunk = /\/webchat\/chat-.*\.js/;
export const button = (chat: ChatPage, name: string | RegExp) =>
  chat.window.getByRole('button', { name, exact: true });
const pressEscape = ({ page }: WidgetStage) => page.keyboard.press('Escape');
/** The states of a scene, each of which stays visible in the next one. */
const together = (states: State<WidgetStage>[]): State<WidgetStage>[] =>
  states.map((state, index) => ({ ...state, stays: index < states.length - 1 }));

/** Ends the state "being sent". */
let release = (): void => {};

/** The page of a visitor whom the server does not know, with the window closed. */
export async function newVisitor({ chat, load }: WidgetStage, attributes = ''): Promise<void> {
  await load(attributes);
  await expect(chat.launcher).toBeVisible();
}

/** The window of a new visitor. */
export async function openWindow(stage: WidgetStage, attributes = ''): Promise<void> {
  await newVisitor(stage, attributes);
  await stage.chat.launcher.click();
  await expect(stage.chat.botRows).toHaveCount(1);
}

/** The greeting alone: the checks of all elements take less time. */
export async function newConversation(stage: WidgetStage): Promise<void> {
  const { chat } = stage;
  if (!(await chat.botRows.first().isVisible())) return openWindow(stage);
  await chat.call('restartConversation');
  await expect(chat.botRows).toHaveCount(1);
}

/** Two conversations, and a greeting. */
async function severalConversations(stage: WidgetStage): Promise<void> {
  const { chat } = stage;
  await openWindow(stage);
  for (const text of ['Where is my parcel?', 'Can I change my order?']) {
    await chat.send(text);
    await expect(chat.botRows.last()).toContainText('Thank you');
    await newConversation(stage);
  }
}

async function homeScreen(stage: WidgetStage): Promise<void> {
  const home = { title: 'Hello!', links: [{ title: 'Help pages', link: '/help' }] };
  await newVisitor(
    stage,
    `data-home='${JSON.stringify(home)}' data-starters='["Where is my parcel?","Can I change my order?"]'`,
  );
  await stage.chat.launcher.click();
}

export const payloadStates: State<WidgetStage>[] = Object.entries(payloads).map(([name, make]) => ({
  name,
  async enter({ chat }) {
    const row = await chat.botReplies(await make(chat));
    if (name === 'markdown') await expect(row.getByRole('table')).toBeVisible();
    // The chunk that renders it has loaded.
    await expect(row.locator('.bubble > :not(.visually-hidden)').first()).toBeAttached();
  },
}));

export const notSent: State<WidgetStage> = {
  name: 'not sent',
  async enter({ chat, page }) {
    await page.route(/\/messages$/, (route) => route.fulfill({ status: 400, json: {} }));
    await chat.send('This will fail');
    await expect(chat.rows.last().getByRole('alert')).toBeVisible();
  },
  leave: ({ page }) => page.unroute(/\/messages$/),
};

export const windowScenes: Scene<WidgetStage>[] = [
  {
    surface: 'Launcher',
    begin: newVisitor,
    states: [
      { name: 'closed', enter: ({ chat }) => expect(chat.launcher).toBeVisible() },
      {
        name: 'the chat cannot be loaded',
        async enter({ chat, page }) {
          await page.route(chunk, (route) => route.abort());
          await chat.launcher.click();
          await expect(page.locator('.badge')).toHaveText(/\S{3}/);
        },
        leave: ({ page }) => page.unroute(chunk),
      },
      {
        name: 'the server cannot be reached',
        async enter({ chat, page }) {
          await page.route(/\/users$/, (route) => route.abort());
          await chat.launcher.click();
          await expect(chat.window.getByRole('alert')).toHaveText(/cannot be reached/);
        },
        leave: ({ page }) => page.unroute(/\/users$/),
      },
    ],
  },
  {
    surface: 'Window',
    begin: newConversation,
    states: [{ name: 'open', isForced: true, enter: ({ chat }) => expect(chat.botRows).toHaveCount(1) }],
  },
  { surface: 'Answers', begin: newConversation, isSeparate: true, states: together(payloadStates) },
  {
    surface: 'Answers',
    async begin(stage) {
      await newConversation(stage);
      await stage.chat.botReplies(await payloads.choice(stage.chat));
    },
    states: [
      {
        name: 'answered',
        stays: true,
        async enter({ chat }) {
          await button(chat, 'Yes').last().click();
          await expect(button(chat, 'Yes').last()).toHaveAttribute('aria-pressed', 'true');
          // The bot answers.
          await expect(chat.botRows.last()).toContainText('Thank you');
        },
      },
      {
        name: 'scrolled up, with a new message below',
        async enter({ chat, page }) {
          for (const name of ['markdown', 'image'] as const)
            await chat.botReplies(await payloads[name](chat));
          // A wheel, because a position set by a script is lost when the answer before it grows in the same frame.
          await chat.window.locator('.viewport').hover();
          await page.mouse.wheel(0, -1_000);
          await expect(button(chat, 'Go to the newest message')).toBeVisible();
          await chat.botReplies({ type: 'text', text: 'Below' });
          await expect(button(chat, /new messages?$/)).toBeVisible();
        },
      },
    ],
  },
  {
    surface: 'Window',
    begin: newConversation,
    isSeparate: true,
    states: [
      {
        name: 'the question what was wrong',
        async enter({ chat }) {
          await chat.botReplies(await payloads.text(chat));
          await button(chat, /^Bad answer: Look/).click();
          await expect(chat.window.getByRole('dialog', { name: /What was wrong/ })).toBeVisible();
        },
        leave: pressEscape,
      },
      {
        name: 'a picture, large',
        async enter({ chat, page }) {
          await chat.botReplies(await payloads.image(chat));
          await button(chat, 'A drawing, enlarge').last().click();
          await expect(page.getByRole('dialog', { name: 'A drawing' })).toBeVisible();
        },
        leave: pressEscape,
      },
    ],
  },
  {
    surface: 'Window',
    begin: newConversation,
    states: [
      {
        name: 'typing',
        async enter({ chat }) {
          await (await joinChat(chat, {})).type(true);
          await expect(chat.window.getByRole('img', { name: /is typing$/ })).toBeVisible();
        },
      },
    ],
  },
  {
    surface: 'Answers',
    begin: newConversation,
    states: [
      {
        name: 'streaming',
        async enter({ chat }) {
          const gate = await startRequestGate();
          await chat.instructBot({ stream: ['One ', 'two ', { until: gate.url }] });
          await expect(chat.botRows.last()).toHaveAttribute('data-status', 'streaming');
        },
      },
      {
        name: 'stopped',
        stays: true,
        async enter({ chat }) {
          await button(chat, 'Stop the answer').click();
          await expect(chat.botRows.last()).toHaveAttribute('data-status', 'aborted');
        },
      },
    ],
  },
  {
    surface: 'Answers',
    begin: newConversation,
    states: [
      {
        name: 'steps, running',
        async enter({ chat }) {
          const gate = await startRequestGate();
          await chat.instructBot({
            stream: [
              { status: 'Thinking' },
              { tool: { name: 'a', title: 'Searching' } },
              { until: gate.url },
            ],
          });
          await expect(chat.window.locator('.mark:empty')).toHaveCount(2);
        },
        leave: ({ chat }) => button(chat, 'Stop the answer').click(),
      },
    ],
  },
  {
    surface: 'Answers',
    begin: newConversation,
    states: [
      {
        name: 'steps and sources, open',
        async enter({ chat }) {
          await chat.instructBot({
            stream: [
              { reasoning: 'It begins with A.' },
              { tool: { name: 'a', title: 'Searching', input: { id: 1 } } },
              { done: 'a', output: 'Found' },
              { tool: { name: 'b', title: 'Asking' } },
              { failed: 'b', text: 'Closed' },
              { source: { title: 'Returns', url: 'https://example.com' } },
              'Within thirty days [1].',
              { suggest: ['Send it back'] },
            ],
          });
          const answer = chat.botRows.last();
          await expect(chat.window.locator('[part="suggestions"]')).toBeVisible();
          for (const fold of await answer.locator('.words > .fold > button').all()) await fold.click();
          for (const fold of await answer.locator('.step-list button').all()) await fold.click();
          await expect(answer.getByRole('link', { name: 'Returns' })).toBeVisible();
        },
      },
    ],
  },
  {
    surface: 'Answers',
    begin: newConversation,
    states: [
      {
        name: 'a question, and a form with errors',
        async enter({ chat }) {
          await chat.instructBot({
            stream: ['It is ready. ', { tool: { name: 'a', title: 'Send a mail', input: { to: 'Ada' } } }],
            ask: [
              { reason: 'tool_call', message: 'Shall I send it?', tool: 'a' },
              {
                reason: 'input_required',
                message: 'Where to?',
                responseSchema: {
                  type: 'object',
                  properties: {
                    name: { type: 'string', title: 'Name', description: 'On the letter' },
                    day: { type: 'string', title: 'Day', format: 'date' },
                    size: { type: 'string', title: 'Size', enum: ['Small', 'Large'] },
                    extras: { type: 'array', title: 'Extras', items: { enum: ['Card', 'Ribbon'] } },
                    gift: { type: 'boolean', title: 'A gift' },
                  },
                  required: ['name', 'size'],
                },
              },
            ],
          });
          await chat.window.locator('.ask').getByText('JSON').click();
          await chat.window.locator('.ask-form [type="submit"]').click();
          await expect(chat.window.getByLabel('Name')).toBeFocused();
        },
      },
      {
        name: 'questions, settled and not answered',
        async enter({ chat }) {
          await button(chat, 'Approve: Send a mail').click();
          await expect(chat.window.getByText('Approved')).toBeVisible();
          await chat.send('Something else');
          await expect(chat.window.getByText('Not answered')).toBeVisible();
          await chat.window.locator('summary', { hasText: 'Approved' }).click();
          await expect(chat.botRows.last()).toContainText('Thank you');
        },
      },
    ],
  },
  {
    surface: 'Window',
    begin: newConversation,
    isSeparate: true,
    states: [
      notSent,
      {
        name: 'being sent',
        async enter({ chat, page }) {
          const released = new Promise<void>((resolve) => {
            release = resolve;
          });
          await page.route(/\/messages$/, (route) => released.then(() => route.continue()));
          await chat.send('This is being sent');
          await expect(chat.rows.last()).toHaveAttribute('data-status', 'sending');
        },
        async leave({ chat, page }) {
          release();
          const row = chat.rows.filter({ hasText: 'This is being sent' }).first();
          await expect(row).toHaveAttribute('data-status', 'sent');
          await page.unroute(/\/messages$/);
        },
      },
      {
        name: 'waiting to be sent',
        async enter({ chat, page }) {
          await page.route(/\/messages$/, (route) => route.fulfill({ status: 503, json: {} }));
          await chat.send('This will wait');
          await expect(chat.rows.last()).toContainText('Waiting to be sent');
          await expect(button(chat, 'Discard: This will wait')).toBeVisible();
        },
        async leave({ chat, page }) {
          await button(chat, 'Discard: This will wait').click();
          await page.unroute(/\/messages$/);
        },
      },
    ],
  },
  {
    surface: 'Window',
    begin: newConversation,
    states: [
      {
        name: 'files, one uploading',
        async enter({ chat, page }) {
          // The bytes never arrive, so that the upload remains in progress.
          await page.route(/\/uploads\//, (route) =>
            route.request().method() === 'PUT' ? undefined : route.continue(),
          );
          await page.locator('input[type="file"]').setInputFiles([
            { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
            { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
          ]);
          await expect(chat.window.getByRole('progressbar', { name: 'Uploading notes.txt' })).toBeVisible();
          await expect(chat.window.locator('.attachment[data-status="failed"]')).toHaveCount(1);
        },
        async leave({ chat, page }) {
          await page.unrouteAll({ behavior: 'ignoreErrors' });
          await button(chat, 'Remove notes.txt').click();
        },
      },
      {
        name: 'files, one uploaded',
        async enter({ chat, page }) {
          await page
            .locator('input[type="file"]')
            .setInputFiles({ name: 'more.txt', mimeType: 'text/plain', buffer: Buffer.from('more') });
          await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(1);
        },
        async leave({ chat }) {
          await button(chat, 'Remove more.txt').click();
          await button(chat, 'Remove empty.txt').click();
        },
      },
    ],
  },
  {
    surface: 'Window',
    begin: newConversation,
    isSeparate: true,
    states: [
      {
        name: 'emoji',
        async enter({ chat }) {
          await button(chat, 'Emoji').click();
          await expect(chat.window.getByRole('gridcell').first()).toBeVisible();
        },
        leave: pressEscape,
      },
    ],
  },
  {
    surface: 'Window',
    begin: newConversation,
    states: [
      {
        name: 'recording',
        async enter({ chat, page }) {
          // A microphone that every browser has.
          await page.evaluate(() => {
            const audio = new AudioContext();
            const { stream } = audio.createMediaStreamDestination();
            navigator.mediaDevices.getUserMedia = async () => stream;
            const takeMicrophone = () => {
              stream.getTracks()[0]?.stop();
              // It would play silence until the page is left.
              return audio.close();
            };
            Object.assign(window, { takeMicrophone });
          });
          await button(chat, 'Record a voice message').click();
          await expect(chat.window.getByRole('timer')).toBeVisible();
        },
      },
      {
        name: 'a recording that has ended',
        async enter({ chat, page }) {
          await page.evaluate(() => (window as unknown as { takeMicrophone(): void }).takeMicrophone());
          await expect(chat.window.getByText('The recording has ended.')).toBeVisible();
        },
        leave: pressEscape,
      },
    ],
  },
  {
    surface: 'Panels of the window',
    begin: newConversation,
    isSeparate: true,
    states: [
      {
        name: 'menu',
        async enter({ chat }) {
          await button(chat, 'More').click();
          await expect(chat.window.getByRole('menu')).toBeVisible();
        },
        leave: pressEscape,
      },
    ],
  },
  {
    surface: 'Panels of the window',
    begin: severalConversations,
    states: [
      {
        name: 'the list of conversations',
        async enter({ chat }) {
          await chat.choose('Conversations');
          await expect(
            chat.window.getByRole('dialog', { name: 'Conversations' }).getByRole('listitem'),
          ).toHaveCount(3);
        },
      },
      {
        name: 'the list of conversations with a result',
        async enter({ chat }) {
          await chat.window.getByRole('searchbox').fill('parcel');
          await expect(chat.window.getByRole('listitem').filter({ hasText: 'parcel' }).first()).toBeVisible();
        },
      },
      {
        name: 'the list of conversations without a result',
        async enter({ chat }) {
          await chat.window.getByRole('searchbox').fill('nobody has said');
          await expect(chat.window.getByText('Nothing found')).toBeVisible();
        },
        leave: pressEscape,
      },
    ],
  },
  {
    surface: 'Panels of the window',
    begin: newConversation,
    isSeparate: true,
    states: [
      {
        name: 'the question before a restart',
        async enter({ chat }) {
          await button(chat, 'Start a new conversation').click();
          await expect(chat.window.getByRole('alertdialog')).toBeVisible();
        },
        leave: pressEscape,
      },
      {
        name: 'offline',
        async enter({ chat, page }) {
          await page.context().setOffline(true);
          await expect(chat.window.getByRole('status').getByText(/You are offline/)).toBeVisible();
        },
        leave: ({ page }) => page.context().setOffline(false),
      },
    ],
  },
  {
    surface: 'Launcher',
    begin: newConversation,
    states: [
      {
        name: 'closed, with unread messages',
        async enter({ chat, page }) {
          await button(chat, 'Close chat').click();
          await chat.instructBot({ reply: [{ type: 'text', text: 'Still there?' }] });
          await expect(chat.launcher).toHaveAccessibleName('Open chat, 1 unread message');
          await expect(page.locator('.badge')).toHaveText('1');
        },
      },
    ],
  },
  {
    surface: 'Panels of the window',
    begin: homeScreen,
    states: [
      {
        name: 'home screen',
        async enter({ chat }) {
          await expect(chat.window.locator('[part="home-action"]')).toBeVisible();
          await expect(chat.window.getByRole('link', { name: /^Help pages/ })).toBeVisible();
        },
      },
      {
        name: 'home screen with a conversation',
        async enter({ chat }) {
          await chat.window.locator('[part="home-action"]').click();
          await expect(chat.botRows).toHaveCount(1);
          await button(chat, 'Home').click();
          await expect(button(chat, /^Continue the conversation/)).toBeVisible();
        },
      },
    ],
  },
  {
    surface: 'Window',
    begin: newVisitor,
    states: [
      {
        name: 'refused',
        async enter({ chat, page }) {
          await page.route(/\/users$/, (route) => route.fulfill({ status: 400, json: {} }));
          await chat.launcher.click();
          await expect(chat.window.getByRole('alert')).toHaveText('This chat is not available.');
        },
        leave: ({ page }) => page.unroute(/\/users$/),
      },
    ],
  },
];
