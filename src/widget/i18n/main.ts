// The i18n bundle: chooses the language, loads its catalogue, and sets the text direction of the window. (The side of the
// launcher follows the page.) Loaded only if plain English is not sufficient. Without a catalogue it uses English.
import en from '../../locales/en.json' with { type: 'json' };
import { type PlatformError, platformError } from '../../protocol/error.ts';
import { chooseLocale, directionOf } from '../../protocol/locale/choose-locale.ts';
import type { Widget } from '../launcher-chat-interface.ts';
import { plural } from './interpolate.ts';
import { catalogues } from './load-catalogue.ts';
import { override } from './site-strings.ts';

/** The last request of each widget: a repeated one is ignored, a superseded one has no effect. */
const requests = new WeakMap<Widget, string>();

/** See `Bundles` in launcher-chat-interface.ts. */
export async function applyLanguage(widget: Widget, strings: object): Promise<boolean> {
  const { locale: requested, strings: siteStrings } = widget.configuration;
  const tags = [requested, document.documentElement.lang, ...navigator.languages];
  const { locale, name } = chooseLocale(['en', ...Object.keys(catalogues)], tags);
  // `isOpen` is included so that opening the window retries a failed catalogue once.
  const request = JSON.stringify([locale, siteStrings, widget.isOpen]);
  if (request === requests.get(widget)) return false;
  requests.set(widget, request);
  let catalogue: object | undefined;
  let failure: PlatformError | undefined;
  try {
    catalogue = Object.assign({}, ...Object.values((await catalogues[name]?.())?.default.widget ?? {}));
  } catch (cause) {
    failure = platformError('chunk_failed', `The strings of '${locale}' could not be loaded.`, cause);
  }
  if (widget.signal.aborted || request !== requests.get(widget)) return false;
  setStrings(widget, strings, failure ? 'en' : locale, catalogue, siteStrings);
  if (failure) widget.emit('error', failure);
  return true;
}

/** Replaces the present strings. */
function setStrings(
  widget: Widget,
  strings: object,
  locale: string,
  catalogue: object | undefined,
  siteStrings: unknown,
): void {
  // Also the plural forms that English does not have.
  const translate = <Section extends object>(section: Section) =>
    override({ ...section, ...catalogue }, siteStrings) as Section;
  const own = translate({ ...en.widget.launcher, ...en.widget.unread });
  Object.assign(strings, own, { unread: (count: number) => plural(own, 'unread', count, locale) });
  widget.language = { locale, translate };

  const { box, frame } = widget;
  box.lang = locale;
  box.dir = directionOf(locale);
  // Once the chat is mounted, it sets the label.
  if (!frame.firstChild) frame.setAttribute('aria-label', own.loading);
}
