// Begins of scenes: a visitor with a page, a window or a conversation.
import type { ChatPage } from '../support/chat-page.ts';
import { expect } from '../support/fixtures.ts';
import type { WidgetStage } from './state.ts';

export const button = (chat: ChatPage, name: string | RegExp) =>
  chat.window.getByRole('button', { name, exact: true });
export const pressEscape = ({ page }: WidgetStage) => page.keyboard.press('Escape');

/** The page of a visitor whom the server does not know, with the window closed. */
export async function newVisitor({ chat, load }: WidgetStage, attributes = ''): Promise<void> {
  await load(attributes);
  await expect(chat.launcher).toBeVisible();
}

/** The page of a new visitor whose script tag has these attributes, after a press on the launcher. */
export const openWith = (attributes: string) => async (stage: WidgetStage) => {
  await newVisitor(stage, attributes);
  await stage.chat.launcher.click();
};

/** The window of a new visitor, with the greeting. */
export async function openWindow(stage: WidgetStage, attributes = ''): Promise<void> {
  await openWith(attributes)(stage);
  await expect(stage.chat.botRows).toHaveCount(1);
}

/** The greeting alone: the checks of all elements take less time. */
export async function newConversation(stage: WidgetStage): Promise<void> {
  const { chat } = stage;
  if (!(await chat.botRows.first().isVisible())) return openWindow(stage);
  await chat.call('restartConversation');
  await expect(chat.botRows).toHaveCount(1);
}
