// Shared by the tests of the catalogues: all catalogues, with English, and the parts of a text.
import type { PluralForms } from './catalogue.ts';
import { app } from './en/app.ts';
import { chat } from './en/chat.ts';
import { conversations } from './en/conversations.ts';
import { details } from './en/details.ts';
import { emoji } from './en/emoji.ts';
import { extras } from './en/extras.ts';
import { homeScreen } from './en/home.ts';
import { hostPage } from './en/host-page.ts';
import { interrupt } from './en/interrupt.ts';
import { launcher, unread } from './en/launcher.ts';
import { markdown } from './en/markdown.ts';
import { ownData } from './en/own-data.ts';
import { parts } from './en/parts.ts';
import { handling } from './en/people.ts';
import { preChatForm } from './en/pre-chat-form.ts';
import { push } from './en/push.ts';
import { rating } from './en/rating.ts';
import { voice } from './en/voice.ts';
import { catalogues } from './load-catalogue.ts';

type Texts = Record<string, string | PluralForms>;

export const sections = {
  launcher: { ...launcher, unread },
  hostPage,
  chat,
  extras,
  emoji,
  voice,
  homeScreen,
  markdown,
  parts,
  details,
  interrupt,
  app,
  handling,
  preChatForm,
  push,
  rating,
  conversations,
  ownData,
};
export const english: Texts = Object.assign({}, ...Object.values(sections));

/** By name, as in load-catalogue.ts, and English. */
export const all: Record<string, Texts> = { en: english };
for (const [name, load] of Object.entries(catalogues)) all[name] = { ...(await load()).default };
export const names = Object.keys(all).toSorted();

/** All forms of a text: one, or those of its plural categories. */
export const formsOf = (text: string | PluralForms | undefined): string[] =>
  typeof text === 'object' ? Object.values(text) : [text ?? ''];

/** The placeholders of a text, such as `{name}`, in alphabetical order. */
export const placeholders = (text: string) => [...text.matchAll(/\{\w*\}/g)].map(([name]) => name).sort();

/** A text without its placeholders: what the translator wrote. */
export const withoutPlaceholders = (text: string) => text.replace(/\{\w*\}/g, '');
