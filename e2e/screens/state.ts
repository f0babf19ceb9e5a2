// The types of the list of states (states.ts): `npm run screens` draws them, and tests check them with axe.
import type { Page } from '@playwright/test';
import type { ChatPage } from '../support/chat-page.ts';
import type { PlatformServer } from '../support/server.ts';
import type { Shop } from './shop.ts';

export const surfaces = [
  'Launcher',
  'Window',
  'Conversation',
  'Answers',
  'People',
  'Panels of the window',
  'Inbox',
  'Console',
  'Sign-in',
  'Mails',
  'Playground',
  'API reference',
  'Documentation',
  'Other pages',
] as const;
export type Surface = (typeof surfaces)[number];

/** A page with the chat, in which states of the widget are entered. */
export interface WidgetStage {
  page: Page;
  chat: ChatPage;
  platform: PlatformServer;
  /** Loads the page of a new visitor; `attributes`: further ones of the script tag. */
  load(attributes?: string): Promise<void>;
}

/** A page of a server with example data. */
export interface ShopStage {
  page: Page;
  platform: PlatformServer;
  shop: Shop;
}
export type Stage = WidgetStage & ShopStage;

export interface State<S = Stage> {
  /** In plain words; unique within its surface. */
  name: string;
  enter(stage: S): Promise<unknown>;
  /** Leaves it, so that the next state of the scene can be entered. */
  leave?(stage: S): Promise<unknown>;
  /** It is still visible in the next state: axe checks both together to save time. */
  stays?: boolean;
  /** On a desktop the whole page is drawn, and not only the corner with the chat. */
  isWhole?: boolean;
  /** Also drawn in forced colors. */
  isForced?: boolean;
}

/** States that follow each other in one page. */
export interface Scene<S = Stage> {
  surface: Surface;
  begin(stage: S): Promise<unknown>;
  states: State<S>[];
  /** None of them needs the one before: each is drawn from the begin. */
  isSeparate?: boolean;
}
