// What a catalogue is: every word of the widget in one language, by key. The English sections say which keys there
// are. Types only.
import type { chat } from './en/chat.ts';
import type { tools } from './en/extras.ts';
import type { site } from './en/host-page.ts';
import type { shell, unread } from './en/launcher.ts';
import type { rich } from './en/markdown.ts';
import type { media } from './en/media.ts';
import type { kinds } from './en/media-kinds.ts';
import type { visit } from './en/session.ts';

/** A text that depends on a `{count}`: one for each plural category of the language (Intl.PluralRules). */
export type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** The texts of a section, in any language. */
export type Texts<Section> = { [Key in keyof Section]: Section[Key] extends string ? string : Forms };

export type ChatTexts = Texts<typeof chat>;
export type RichTexts = Texts<typeof rich> & Pick<ChatTexts, 'newTab'>;
/** All sections in one: a key is used only once. */
export type Catalogue = Texts<
  typeof shell & { unread: typeof unread } & typeof kinds &
    typeof site &
    typeof chat &
    typeof media &
    typeof tools &
    typeof visit &
    typeof rich
>;

/** What is spoken. */
export interface Language {
  /** A BCP 47 tag, `de-AT`: its region decides how dates and numbers are written. */
  locale: string;
  /** The words in the place of these English ones; absent where they stay. */
  translate?<Section extends object>(english: Section): Texts<Section>;
}
