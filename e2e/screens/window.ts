// The states of the window around a conversation: its sizes, its connection, and messages on their way.
import { openDesk } from '../people/desk.ts';
import { expect } from '../support/fixtures.ts';
import { botClientsOf } from '../support/test-data/bot-clients.ts';
import { joinChat } from '../support/test-data/participants.ts';
import { answer } from './conversation.ts';
import { payloads } from './payloads.ts';
import type { Scene, State, WidgetStage } from './state.ts';
import { button, newConversation, newVisitor, openWindow, pressEscape } from './visitor.ts';

/** Ends the state "being sent". */
let release = (): void => {};

export const notSent: State<WidgetStage> = {
  name: 'not sent',
  async enter({ chat, page }) {
    await page.route(/\/messages$/, (route) => route.fulfill({ status: 400, json: {} }));
    await chat.send('This will fail');
    await expect(chat.rows.last().getByRole('alert')).toBeVisible();
  },
  leave: ({ page }) => page.unroute(/\/messages$/),
};

const longWord = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

export const windowScenes: Scene<WidgetStage>[] = [
  {
    surface: 'Window',
    begin: newConversation,
    states: [{ name: 'open', isForced: true, enter: ({ chat }) => expect(chat.botRows).toHaveCount(1) }],
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
    begin: (stage) => openWindow(stage, `data-bot-name="${longWord}" data-expandable`),
    states: [
      {
        name: 'names that are too long',
        async enter({ chat, platform }) {
          await openDesk(platform);
          const { runtime } = await botClientsOf(platform);
          const id = (await chat.storedSession()).conversationId ?? '';
          await runtime.requestHandoff({ id });
          await runtime.acceptHandoff({ id, person: { name: `Ada Maria ${longWord}` } });
          await runtime.createMessage({
            conversationId: id,
            payload: { type: 'text', text: 'Hello!' },
            as: 'person',
          });
          await expect(chat.botRows.last()).toContainText('Hello!');
        },
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
          // The window says it after five seconds.
          await expect(chat.window.getByText('The connection is interrupted.').first()).toBeVisible({
            timeout: 20_000,
          });
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
  {
    surface: 'Window',
    begin: newVisitor,
    states: [
      {
        name: 'refused',
        async enter({ chat, page }) {
          await page.route(/\/users$/, (route) => route.fulfill({ status: 400, json: {} }));
          await chat.launcher.click();
          await expect(chat.window.getByRole('alert')).toHaveText('This chat is not available. Try again');
        },
        leave: ({ page }) => page.unroute(/\/users$/),
      },
    ],
  },
  {
    surface: 'Window',
    begin: newVisitor,
    states: [
      {
        name: 'refused, with a draft',
        async enter({ chat, page }) {
          let refuse = () => {};
          const written = new Promise<void>((resolve) => {
            refuse = resolve;
          });
          await page.route(/\/users$/, async (route) => {
            await written;
            await route.fulfill({ status: 400, json: {} });
          });
          await chat.launcher.click();
          await chat.input.fill('Where is my order?');
          refuse();
          await expect(chat.input).not.toBeEditable();
        },
        leave: ({ page }) => page.unroute(/\/users$/),
      },
    ],
  },
];
