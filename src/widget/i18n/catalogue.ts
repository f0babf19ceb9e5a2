// Types of the catalogues: every string of the widget in one language, by key. The English sections define the keys.
import type { app } from './en/app.ts';
import type { chat } from './en/chat.ts';
import type { conversations } from './en/conversations.ts';
import type { details } from './en/details.ts';
import type { emoji } from './en/emoji.ts';
import type { extras } from './en/extras.ts';
import type { homeScreen } from './en/home.ts';
import type { hostPage } from './en/host-page.ts';
import type { interrupt } from './en/interrupt.ts';
import type { launcher, unread } from './en/launcher.ts';
import type { markdown } from './en/markdown.ts';
import type { ownData } from './en/own-data.ts';
import type { parts } from './en/parts.ts';
import type { handling } from './en/people.ts';
import type { preChatForm } from './en/pre-chat-form.ts';
import type { push } from './en/push.ts';
import type { rating } from './en/rating.ts';
import type { voice } from './en/voice.ts';

/** A string that depends on a `{count}`: one for each plural category of the language (Intl.PluralRules). */
export type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** The strings of a section, in any language. */
export type Strings<Section> = { [Key in keyof Section]: Section[Key] extends string ? string : PluralForms };

export type MarkdownStrings = Strings<typeof markdown> & Pick<Strings<typeof chat>, 'newTab'>;
/** All sections in one: a key is used only once. */
export type Catalogue = Strings<
  typeof launcher & { unread: typeof unread } & typeof hostPage &
    typeof chat &
    typeof extras &
    typeof emoji &
    typeof voice &
    typeof homeScreen &
    typeof parts &
    typeof details &
    typeof interrupt &
    typeof app &
    typeof handling &
    typeof preChatForm &
    typeof push &
    typeof rating &
    typeof conversations &
    typeof ownData &
    typeof markdown
>;

/** The present language. */
export interface Language {
  /** A BCP 47 tag such as `de-AT`: its region determines the format of dates and numbers. */
  locale: string;
  /** Translates English strings; absent if they stay English. */
  translate?<Section extends object>(english: Section): Strings<Section>;
}
