// Loads the catalogues. English needs none, because it is part of the bundles.
import type { Catalogue } from './catalogue.ts';

type Load = () => Promise<{ default: Catalogue }>;

/** By language, with the script or region where a language has two (protocol/locale/choose-locale.ts). */
export const catalogues: Record<string, Load> = {
  ar: () => import('./catalogues/ar.ts'),
  bn: () => import('./catalogues/bn.ts'),
  cs: () => import('./catalogues/cs.ts'),
  da: () => import('./catalogues/da.ts'),
  de: () => import('./catalogues/de.ts'),
  el: () => import('./catalogues/el.ts'),
  es: () => import('./catalogues/es.ts'),
  fa: () => import('./catalogues/fa.ts'),
  fi: () => import('./catalogues/fi.ts'),
  fr: () => import('./catalogues/fr.ts'),
  he: () => import('./catalogues/he.ts'),
  hi: () => import('./catalogues/hi.ts'),
  hu: () => import('./catalogues/hu.ts'),
  id: () => import('./catalogues/id.ts'),
  it: () => import('./catalogues/it.ts'),
  ja: () => import('./catalogues/ja.ts'),
  ko: () => import('./catalogues/ko.ts'),
  nb: () => import('./catalogues/nb.ts'),
  nl: () => import('./catalogues/nl.ts'),
  pl: () => import('./catalogues/pl.ts'),
  pt: () => import('./catalogues/pt.ts'),
  'pt-PT': () => import('./catalogues/pt-PT.ts'),
  ro: () => import('./catalogues/ro.ts'),
  ru: () => import('./catalogues/ru.ts'),
  sv: () => import('./catalogues/sv.ts'),
  th: () => import('./catalogues/th.ts'),
  tr: () => import('./catalogues/tr.ts'),
  uk: () => import('./catalogues/uk.ts'),
  vi: () => import('./catalogues/vi.ts'),
  zh: () => import('./catalogues/zh.ts'),
  'zh-Hant': () => import('./catalogues/zh-Hant.ts'),
};
