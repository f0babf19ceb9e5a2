// Speaks: chooses the language, brings its words, turns the window round where lines run the other way (its corner is
// the page's matter). Loaded only where plain English is not enough. Without a catalogue it speaks English.
import { type PlatformError, platformError } from '../../protocol/error.ts';
import type { Shell } from '../launcher-chat-interface.ts';
import type { Catalogue, Texts } from './catalogue.ts';
import { chooseLocale, directionOf } from './choose-locale.ts';
import { shell as launcher, unread } from './en/launcher.ts';
import { fill } from './interpolate.ts';
import { catalogues } from './load-catalogue.ts';
import { override } from './site-strings.ts';

/** What each widget was asked for last: the same is not answered twice, and what was overtaken not at all. */
const asked = new WeakMap<Shell, string>();

/** See `Modules` in seam.ts. */
export async function speak(shell: Shell, words: object): Promise<boolean> {
  const { locale: wanted, strings } = shell.configuration;
  const tags = [wanted, document.documentElement.lang, ...navigator.languages];
  const locale = chooseLocale(['en', ...Object.keys(catalogues)], tags);
  // Whoever opens the window asks once more for what may have failed.
  const asking = JSON.stringify([locale, strings, shell.isOpen]);
  if (asking === asked.get(shell)) return false;
  asked.set(shell, asking);
  let catalogue: Catalogue | undefined;
  let failure: PlatformError | undefined;
  try {
    catalogue = (await catalogues[locale.slice(0, 2)]?.())?.default;
  } catch (cause) {
    failure = platformError('chunk_failed', `The words of '${locale}' could not be loaded.`, cause);
  }
  if (shell.signal.aborted || asking !== asked.get(shell)) return false;
  put(shell, words, failure ? 'en' : locale, catalogue, strings);
  if (failure) shell.emit('error', failure);
  return true;
}

/** Puts words in the place of those that are there. */
function put(
  shell: Shell,
  words: object,
  locale: string,
  catalogue: Catalogue | undefined,
  strings: unknown,
): void {
  const translate = <Section extends object>(section: Section) => {
    const texts = Object.entries(section).map(([key, text]) => [
      key,
      catalogue?.[key as keyof Catalogue] ?? text,
    ]);
    return override(Object.fromEntries(texts), strings) as Texts<Section>;
  };
  const own = translate({ ...launcher, unread });
  Object.assign(words, own, { unread: (count: number) => fill(own.unread, { count }, locale) });
  shell.language = { locale, translate };

  const { box, frame } = shell;
  box.lang = locale;
  box.dir = directionOf(locale);
  // Later its name is the chat's matter.
  if (!frame.firstChild) frame.setAttribute('aria-label', own.loading);
}
