// The states of a conversation with people: the queue, the person, the rating.

import { answerAsAda, openDesk } from '../people/desk.ts';
import { expect } from '../support/fixtures.ts';
import type { Scene, State, WidgetStage } from './state.ts';
import { button, newConversation, openWindow } from './visitor.ts';

const bar = ({ chat }: WidgetStage) => chat.window.locator('[part="handling"]');
const rating = ({ chat }: WidgetStage) => chat.window.locator('[part="rating"]');

const states: State<WidgetStage>[] = [
  {
    name: 'waiting for a person',
    async enter(stage) {
      await stage.chat.choose('Talk to a person');
      await expect(bar(stage)).toContainText('Waiting for a person');
    },
  },
  {
    name: 'a person has joined',
    async enter({ chat, platform }) {
      const desk = await openDesk(platform);
      const conversationId = await answerAsAda(desk, chat, 'Hello, here is Ada.');
      for (const text of ['I have looked at your order.', 'It arrives **tomorrow**, before noon.'])
        await desk.createMessage({
          conversationId,
          payload: { type: 'markdown', markdown: text },
          as: 'person',
        });
      await expect(chat.botRows.last()).toContainText('before noon');
      await chat.send('Great!');
      await chat.send('Thank you.');
      await expect(chat.rows.last()).toHaveAttribute('data-status', 'sent');
    },
  },
  {
    name: 'the question for a rating',
    async enter(stage) {
      const { chat, platform } = stage;
      const desk = await openDesk(platform);
      const id = (await chat.storedSession()).conversationId ?? '';
      await desk.closeHandoff({ id, to: 'closed' });
      await expect(rating(stage)).toBeVisible();
    },
  },
  {
    name: 'a rating with a comment',
    async enter(stage) {
      await rating(stage).getByRole('radio', { name: '4 of 5', exact: true }).check();
      await rating(stage).getByRole('textbox').fill('Quick and friendly');
    },
  },
  {
    name: 'a closed conversation, rated',
    async enter(stage) {
      await rating(stage).getByRole('button', { name: 'Send' }).click();
      await expect(rating(stage)).toHaveText('Thank you');
    },
  },
];

const request = /\/handoff$/;
const push = /\/push$/;

/** Outside of the opening hours, which end tomorrow. On the server they are the same for all pages. */
const closedStates: State<WidgetStage>[] = [
  {
    name: 'outside of the opening hours',
    async enter(stage) {
      const { chat, page } = stage;
      await page.route(request, async (route) => {
        const opensAt = new Date((await page.evaluate(() => Date.now())) + 23 * 60 * 60_000).toISOString();
        const conversationId = (await chat.storedSession()).conversationId ?? '';
        const handling = { conversationId, revision: 1, state: 'bot', opensAt };
        await route.fulfill({ json: { accepted: false, opensAt, handling } });
      });
      await chat.choose('Talk to a person');
      await expect(button(chat, 'Leave a message')).toBeVisible();
    },
  },
  {
    name: 'a message for the team, outside of the opening hours',
    async enter({ chat }) {
      await button(chat, 'Leave a message').click();
      await expect(chat.window.getByRole('textbox', { name: 'Leave a message' })).toBeVisible();
    },
    leave: ({ page }) => page.unroute(request),
  },
];

const pushStates: State<WidgetStage>[] = [
  {
    name: 'the offer of notifications',
    async enter({ chat, page }) {
      // The browser without a window has blocked them, and the server has no contact for push services.
      await page.evaluate(() => Object.defineProperty(Notification, 'permission', { get: () => 'default' }));
      await page.route(push, (route) => route.fulfill({ json: { isOffered: true, publicKey: 'B' } }));
      await chat.choose('Talk to a person');
      await expect(button(chat, 'Tell me about answers')).toBeVisible();
    },
    leave: ({ page }) => page.unroute(push),
  },
];

export const peopleScenes: Scene<WidgetStage>[] = [
  {
    surface: 'People',
    begin: newConversation,
    states,
  },
  { surface: 'People', begin: openWindow, states: closedStates },
  {
    surface: 'People',
    begin: (stage) => openWindow(stage, 'data-push-worker="/webchat-push.js"'),
    states: pushStates,
  },
];
