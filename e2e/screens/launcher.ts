// The states of the launcher, and of a chat that cannot be loaded.
import { expect } from '../support/fixtures.ts';
import type { Scene, WidgetStage } from './state.ts';
import { button, newConversation, newVisitor } from './visitor.ts';

const chunk = /\/webchat\/chat-.*\.js/;

export const launcherScenes: Scene<WidgetStage>[] = [
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
];
