// Loads the files of the languages. English needs none, because it is part of the bundles.

/** The texts of the widget by section; a text that is missing is English. */
type Load = () => Promise<{ default: { widget: Record<string, Record<string, string>> } }>;

/** By language, with the script or region where a language has two (protocol/locale/choose-locale.ts). */
export const catalogues: Record<string, Load> = {
  ar: () => import('../../locales/ar.json', { with: { type: 'json' } }),
  bn: () => import('../../locales/bn.json', { with: { type: 'json' } }),
  cs: () => import('../../locales/cs.json', { with: { type: 'json' } }),
  da: () => import('../../locales/da.json', { with: { type: 'json' } }),
  de: () => import('../../locales/de.json', { with: { type: 'json' } }),
  el: () => import('../../locales/el.json', { with: { type: 'json' } }),
  es: () => import('../../locales/es.json', { with: { type: 'json' } }),
  fa: () => import('../../locales/fa.json', { with: { type: 'json' } }),
  fi: () => import('../../locales/fi.json', { with: { type: 'json' } }),
  fr: () => import('../../locales/fr.json', { with: { type: 'json' } }),
  he: () => import('../../locales/he.json', { with: { type: 'json' } }),
  hi: () => import('../../locales/hi.json', { with: { type: 'json' } }),
  hu: () => import('../../locales/hu.json', { with: { type: 'json' } }),
  id: () => import('../../locales/id.json', { with: { type: 'json' } }),
  it: () => import('../../locales/it.json', { with: { type: 'json' } }),
  ja: () => import('../../locales/ja.json', { with: { type: 'json' } }),
  ko: () => import('../../locales/ko.json', { with: { type: 'json' } }),
  nb: () => import('../../locales/nb.json', { with: { type: 'json' } }),
  nl: () => import('../../locales/nl.json', { with: { type: 'json' } }),
  pl: () => import('../../locales/pl.json', { with: { type: 'json' } }),
  pt: () => import('../../locales/pt.json', { with: { type: 'json' } }),
  'pt-PT': () => import('../../locales/pt-PT.json', { with: { type: 'json' } }),
  ro: () => import('../../locales/ro.json', { with: { type: 'json' } }),
  ru: () => import('../../locales/ru.json', { with: { type: 'json' } }),
  sv: () => import('../../locales/sv.json', { with: { type: 'json' } }),
  th: () => import('../../locales/th.json', { with: { type: 'json' } }),
  tr: () => import('../../locales/tr.json', { with: { type: 'json' } }),
  uk: () => import('../../locales/uk.json', { with: { type: 'json' } }),
  vi: () => import('../../locales/vi.json', { with: { type: 'json' } }),
  zh: () => import('../../locales/zh.json', { with: { type: 'json' } }),
  'zh-Hant': () => import('../../locales/zh-Hant.json', { with: { type: 'json' } }),
};
