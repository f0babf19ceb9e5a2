// The texts of mails, of the pages of their links and of agents, in all languages of the widget.
import { chooseLocale, directionOf } from '../protocol/locale/choose-locale.ts';
import ar from './ar.json' with { type: 'json' };
import bn from './bn.json' with { type: 'json' };
import cs from './cs.json' with { type: 'json' };
import da from './da.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import el from './el.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fa from './fa.json' with { type: 'json' };
import fi from './fi.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import he from './he.json' with { type: 'json' };
import hi from './hi.json' with { type: 'json' };
import hu from './hu.json' with { type: 'json' };
import id from './id.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import ko from './ko.json' with { type: 'json' };
import nb from './nb.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import pl from './pl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import ptPt from './pt-PT.json' with { type: 'json' };
import ro from './ro.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import sv from './sv.json' with { type: 'json' };
import th from './th.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };
import uk from './uk.json' with { type: 'json' };
import vi from './vi.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };
import zhHant from './zh-Hant.json' with { type: 'json' };

type Texts = Omit<typeof en, 'widget'>;
type Translation = { [Section in keyof Texts]?: Partial<Texts[Section]> };

/** By language. */
export const locales: Readonly<Record<string, Translation>> = {
  ar,
  bn,
  cs,
  da,
  de,
  el,
  en,
  es,
  fa,
  fi,
  fr,
  he,
  hi,
  hu,
  id,
  it,
  ja,
  ko,
  nb,
  nl,
  pl,
  pt,
  'pt-PT': ptPt,
  ro,
  ru,
  sv,
  th,
  tr,
  uk,
  vi,
  zh,
  'zh-Hant': zhHant,
};

/**
 * Returns the texts in the first of these languages (BCP 47 tags) that is known, with its name and its direction. Texts that it
 * lacks are English, as all are if no language is known.
 */
export function textsFor(tags: readonly (string | undefined)[]): {
  texts: Texts;
  language: string;
  direction: 'ltr' | 'rtl';
} {
  const { name } = chooseLocale(Object.keys(locales), tags);
  const sections = Object.entries(en).map(([section, english]) => [
    section,
    { ...english, ...locales[name]?.[section as keyof Texts] },
  ]);
  return { texts: Object.fromEntries(sections), language: name, direction: directionOf(name) };
}
