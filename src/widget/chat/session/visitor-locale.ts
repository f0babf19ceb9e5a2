// The languages and the time zone of the visitor, which the bot gets with what each request causes.
import type { VisitorLocale } from '../../../protocol/headers.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import type { Store } from '../store/store.ts';

/** Returns them as they are now; undefined if the server does not ask for them. */
export function visitorLocale(
  { language, configuration }: Widget,
  { has }: Store,
): VisitorLocale | undefined {
  const { lang } = document.documentElement;
  return has('locale')
    ? {
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        // Without strings of another language: the one that is requested now. They may arrive later than the chat is ready,
        // and the bot should not greet in English because of that.
        chat: language.translate ? language.locale : configuration.locale || lang || navigator.language,
        // Last, because the client cuts what is too long, and a page can write anything there.
        page: lang,
      }
    : undefined;
}
