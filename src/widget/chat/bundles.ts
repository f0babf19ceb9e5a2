// The lazy bundles of the chat.
import { lazyBundle } from './lazy-bundle.ts';

/** Markdown. */
export const markdown = lazyBundle(() => import('../markdown/main.ts'));
/** Media and cards, attachments, feedback, the menus, sound, and accessibility features that are needed later. */
export const extras = lazyBundle(() => import('../extras/main.tsx'));
/** The parts of answers: steps, sources, suggestions. */
export const parts = lazyBundle(() => import('../answers/main.tsx'));
/** Persons who answer: names, queue, rating, notifications. */
export const people = lazyBundle(() => import('../people/main.tsx'));
/** The home screen. */
export const home = lazyBundle(() => import('../panels/start.ts'));
/** The form before a conversation: the same bundle, whose failure concerns only a site with a form. */
export const preChatForm = lazyBundle(() => import('../panels/start.ts'));
/** The visitor's other tabs, older messages, typing, the renewal of the user key. Loaded when the page is idle. */
export const background = lazyBundle(() => import('./session/background.ts'));
/** The user fields, keys and hooks of the page, which few pages have. */
export const pageUser = lazyBundle(() => import('../page/main.ts'));
/** The proof of work that a server may require. */
export const proofOfWork = lazyBundle(() => import('./session/background.ts'));
/** The page of the visitor, on sites that share it with the team. */
export const sharedPage = lazyBundle(() => import('./session/conversation/shared-page.ts'));
/** The configured font. */
export const fonts = lazyBundle(() => import('./fonts.ts'));
