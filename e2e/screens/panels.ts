// The states of the panels of the window: menu, lists, dialogs, the home screen, and the form before the chat.
import { expect } from '../support/fixtures.ts';
import { preChatForm } from '../support/test-data/pre-chat-form.ts';
import type { Scene, WidgetStage } from './state.ts';
import { button, newConversation, newVisitor, openWindow, openWith, pressEscape } from './visitor.ts';

const list = /\/conversations(\?|$)/;

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

const link = (title: string, address: string) => JSON.stringify({ title, link: address });

export const panelScenes: Scene<WidgetStage>[] = [
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
    surface: 'Panels of the window',
    begin: newConversation,
    states: [
      {
        name: 'the list of conversations without one',
        async enter({ chat, page }) {
          await page.route(list, (route) =>
            route.request().method() === 'GET'
              ? route.fulfill({ json: { conversations: [], meta: {} } })
              : route.continue(),
          );
          await chat.choose('Conversations');
          await expect(chat.window.getByText('No messages yet')).toBeVisible();
        },
        async leave(stage) {
          await pressEscape(stage);
          await stage.page.unroute(list);
        },
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
    surface: 'Panels of the window',
    begin: openWith(`data-pre-chat-form='${JSON.stringify(preChatForm)}'`),
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
        leave: pressEscape,
      },
    ],
  },
];
