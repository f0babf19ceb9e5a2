// Every visible state of the window, in an order that one page can go through, for tests that check all of them. The
// scripted bot (scripted-bot.js) sends the payloads.
import { Buffer } from 'node:buffer';
import type { Page } from '@playwright/test';
import type { ChatPage } from './chat-page.ts';
import { startRequestGate } from './faults/request-gate.ts';
import { expect } from './fixtures.ts';
import { joinChat } from './test-data/participants.ts';
import { payloads } from './window-payloads.ts';

/** Attributes of the script tag that enable every optional part. */
export const allFeatures =
  'data-prefetch="false" data-allow-file-upload data-emoji-picker data-dictation data-voice-messages data-feedback-enabled data-sound-enabled data-bot-description="Here to help" data-footer="Made with [care](https://example.org)"';

export interface WindowState {
  name: string;
  enter(chat: ChatPage, page: Page): Promise<unknown>;
  leave?(chat: ChatPage, page: Page): Promise<unknown>;
  /** True when it is still visible in the next state; both are checked together to save time. */
  stays?: boolean;
}

const chunk = /\/webchat\/chat-.*\.js/;
const button = (chat: ChatPage, name: string | RegExp) =>
  chat.window.getByRole('button', { name, exact: true });
const pressEscape = (_: ChatPage, page: Page) => page.keyboard.press('Escape');

/** Ends the state "being sent". */
let release = (): void => {};

/** Before states that need no other messages than their own: the checks of all elements take less time. */
const newConversation: WindowState = {
  name: 'a new conversation',
  stays: true,
  async enter(chat) {
    await chat.call('restartConversation');
    await expect(chat.botRows).toHaveCount(1);
  },
};

export const windowStates: WindowState[] = [
  { name: 'closed', enter: (chat) => expect(chat.launcher).toBeVisible() },
  {
    name: 'the chat cannot be loaded',
    async enter(chat, page) {
      await page.route(chunk, (route) => route.abort());
      await chat.launcher.click();
      await expect(page.locator('.badge')).toHaveText(/\S{3}/);
    },
    leave: (_, page) => page.unroute(chunk),
  },
  {
    name: 'the server cannot be reached',
    async enter(chat, page) {
      await page.route(/\/users$/, (route) => route.abort());
      await chat.launcher.click();
      await expect(chat.window.getByRole('alert')).toHaveText(/cannot be reached/);
    },
    leave: (_, page) => page.unroute(/\/users$/),
  },
  { name: 'open', enter: (chat) => expect(chat.botRows).toHaveCount(1) },
  ...Object.entries(payloads).map(([name, make]) => ({
    name,
    stays: name !== 'choice',
    async enter(chat: ChatPage) {
      const row = await chat.botReplies(await make(chat));
      if (name === 'markdown') await expect(row.getByRole('table')).toBeVisible();
      // The chunk that renders it has loaded.
      await expect(row.locator('.bubble > :not(.visually-hidden)').first()).toBeAttached();
    },
  })),
  {
    name: 'answered',
    stays: true,
    async enter(chat) {
      await button(chat, 'Yes').last().click();
      await expect(button(chat, 'Yes').last()).toHaveAttribute('aria-pressed', 'true');
      // The scripted bot repeats the received message.
      await expect(chat.botRows.last()).toContainText('received text');
    },
  },
  {
    name: 'scrolled up, with a new message below',
    async enter(chat, page) {
      // A wheel, because a position set by a script is lost when the answer before it grows in the same frame.
      await chat.window.locator('.viewport').hover();
      await page.mouse.wheel(0, -1_000);
      await expect(button(chat, 'Go to the newest message')).toBeVisible();
      await chat.botReplies({ type: 'text', text: 'Below' });
      await expect(button(chat, /new messages?$/)).toBeVisible();
    },
  },
  newConversation,
  {
    name: 'the question what was wrong',
    async enter(chat) {
      await chat.botReplies(await payloads.text(chat));
      await button(chat, /^Bad answer: Look/).click();
      await expect(chat.window.getByRole('dialog', { name: /What was wrong/ })).toBeVisible();
    },
    leave: pressEscape,
  },
  {
    name: 'a picture, large',
    async enter(chat, page) {
      await chat.botReplies(await payloads.image(chat));
      await button(chat, 'A drawing, enlarge').last().click();
      await expect(page.getByRole('dialog', { name: 'A drawing' })).toBeVisible();
    },
    leave: pressEscape,
  },
  newConversation,
  {
    name: 'typing',
    async enter(chat) {
      await (await joinChat(chat, {})).type(true);
      await expect(chat.window.getByRole('img', { name: /is typing$/ })).toBeVisible();
    },
  },
  {
    name: 'streaming',
    async enter(chat) {
      const gate = await startRequestGate();
      await chat.instructBot({ stream: ['One ', 'two ', { until: gate.url }] });
      await expect(chat.botRows.last()).toHaveAttribute('data-status', 'streaming');
    },
  },
  {
    name: 'stopped',
    stays: true,
    async enter(chat) {
      await button(chat, 'Stop the answer').click();
      await expect(chat.botRows.last()).toHaveAttribute('data-status', 'aborted');
    },
  },
  {
    name: 'steps, running',
    async enter(chat) {
      const gate = await startRequestGate();
      await chat.instructBot({
        stream: [{ status: 'Thinking' }, { tool: { name: 'a', title: 'Searching' } }, { until: gate.url }],
      });
      await expect(chat.window.locator('.mark:empty')).toHaveCount(2);
    },
    leave: (chat) => button(chat, 'Stop the answer').click(),
  },
  {
    name: 'steps and sources, open',
    async enter(chat) {
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
      for (const fold of await answer.locator('.answer > .fold > button').all()) await fold.click();
      for (const fold of await answer.locator('.step-list button').all()) await fold.click();
      await expect(answer.getByRole('link', { name: 'Returns' })).toBeVisible();
    },
  },
  {
    name: 'a question, and a form with errors',
    async enter(chat) {
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
      await chat.window.locator('.ask-form [type="submit"]').click();
      await expect(chat.window.getByLabel('Name')).toBeFocused();
    },
  },
  {
    name: 'questions, settled and not answered',
    async enter(chat) {
      await button(chat, 'Approve: Send a mail').click();
      await expect(chat.window.getByText('Approved')).toBeVisible();
      await chat.send('Something else');
      await expect(chat.window.getByText('Not answered')).toBeVisible();
      await expect(chat.botRows.last()).toContainText('received');
    },
  },
  {
    name: 'not sent',
    stays: true,
    async enter(chat, page) {
      await page.route(/\/messages$/, (route) => route.fulfill({ status: 400, json: {} }));
      await chat.send('This will fail');
      await expect(chat.rows.last().getByRole('alert')).toBeVisible();
    },
    leave: (_, page) => page.unroute(/\/messages$/),
  },
  {
    name: 'being sent',
    async enter(chat, page) {
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/\/messages$/, (route) => released.then(() => route.continue()));
      await chat.send('This is being sent');
      await expect(chat.rows.last()).toHaveAttribute('data-status', 'sending');
    },
    async leave(chat, page) {
      release();
      const row = chat.rows.filter({ hasText: 'This is being sent' }).first();
      await expect(row).toHaveAttribute('data-status', 'sent');
      await page.unroute(/\/messages$/);
    },
  },
  {
    name: 'waiting to be sent',
    async enter(chat, page) {
      await page.route(/\/messages$/, (route) => route.fulfill({ status: 503, json: {} }));
      await chat.send('This will wait');
      await expect(chat.rows.last()).toContainText('Waiting to be sent');
      await expect(button(chat, 'Discard: This will wait')).toBeVisible();
    },
    async leave(chat, page) {
      await button(chat, 'Discard: This will wait').click();
      await page.unroute(/\/messages$/);
    },
  },
  newConversation,
  {
    name: 'files, one uploading',
    async enter(chat, page) {
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
    async leave(chat, page) {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await button(chat, 'Remove notes.txt').click();
    },
  },
  {
    name: 'files, one uploaded',
    async enter(chat, page) {
      await page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'more.txt', mimeType: 'text/plain', buffer: Buffer.from('more') });
      await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(1);
    },
    async leave(chat) {
      await button(chat, 'Remove more.txt').click();
      await button(chat, 'Remove empty.txt').click();
    },
  },
  {
    name: 'emoji',
    async enter(chat) {
      await button(chat, 'Emoji').click();
      await expect(chat.window.getByRole('gridcell').first()).toBeVisible();
    },
    leave: pressEscape,
  },
  {
    name: 'recording',
    async enter(chat, page) {
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
    async enter(chat, page) {
      await page.evaluate(() => (window as unknown as { takeMicrophone(): void }).takeMicrophone());
      await expect(chat.window.getByText('The recording has ended.')).toBeVisible();
    },
    leave: pressEscape,
  },
  {
    name: 'menu',
    async enter(chat) {
      await button(chat, 'More').click();
      await expect(chat.window.getByRole('menu')).toBeVisible();
    },
    leave: pressEscape,
  },
  {
    name: 'the list of conversations',
    async enter(chat) {
      await chat.choose('Conversations');
      await expect(
        chat.window.getByRole('dialog', { name: 'Conversations' }).getByRole('listitem'),
      ).toHaveCount(4);
    },
  },
  {
    name: 'the list of conversations with a result',
    async enter(chat) {
      await chat.window.getByRole('searchbox').fill('double');
      await expect(chat.window.getByRole('listitem').filter({ hasText: 'double' }).first()).toBeVisible();
    },
  },
  {
    name: 'the list of conversations without a result',
    async enter(chat) {
      await chat.window.getByRole('searchbox').fill('nobody has said');
      await expect(chat.window.getByText('Nothing found')).toBeVisible();
    },
    leave: pressEscape,
  },
  {
    name: 'the question before a restart',
    async enter(chat) {
      await button(chat, 'Start a new conversation').click();
      await expect(chat.window.getByRole('alertdialog')).toBeVisible();
    },
    leave: pressEscape,
  },
  {
    name: 'offline',
    async enter(chat, page) {
      await page.context().setOffline(true);
      await expect(chat.window.getByRole('status').getByText(/You are offline/)).toBeVisible();
    },
    leave: (_, page) => page.context().setOffline(false),
  },
  {
    name: 'closed, with unread messages',
    async enter(chat, page) {
      await button(chat, 'Close chat').click();
      await chat.instructBot({ reply: [{ type: 'text', text: 'Still there?' }] });
      await expect(chat.launcher).toHaveAccessibleName('Open chat, 1 unread message');
      await expect(page.locator('.badge')).toHaveText('1');
    },
  },
  {
    name: 'home screen',
    async enter(chat, page) {
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      await chat.configure({
        home: { title: 'Hello!', links: [{ title: 'Help pages', link: '/help' }] },
        starters: ['Where is my parcel?'],
      });
      await chat.launcher.click();
      await expect(chat.window.locator('[part="home-action"]')).toBeVisible();
      await expect(chat.window.getByRole('link', { name: /^Help pages/ })).toBeVisible();
    },
  },
  {
    name: 'home screen with a conversation',
    async enter(chat) {
      await chat.window.locator('[part="home-action"]').click();
      await expect(chat.botRows).toHaveCount(1);
      await button(chat, 'Home').click();
      await expect(button(chat, /^Continue the conversation/)).toBeVisible();
    },
  },
  {
    name: 'refused',
    async enter(chat, page) {
      await page.evaluate(() => localStorage.clear());
      await page.route(/\/users$/, (route) => route.fulfill({ status: 400, json: {} }));
      await page.reload();
      await chat.launcher.click();
      await expect(chat.window.getByRole('alert')).toHaveText('This chat is not available.');
    },
  },
];
