// The one place where catalogues are loaded. English is in the bundles.
import type { Catalogue } from '../words/catalogue.ts';

type Load = () => Promise<{ default: Catalogue }>;

/** By base language. */
export const catalogues: Record<string, Load> = {
  de: () => import('../words/de.ts'),
  fr: () => import('../words/fr.ts'),
  es: () => import('../words/es.ts'),
  pt: () => import('../words/pt.ts'),
  it: () => import('../words/it.ts'),
  nl: () => import('../words/nl.ts'),
  pl: () => import('../words/pl.ts'),
  tr: () => import('../words/tr.ts'),
  ar: () => import('../words/ar.ts'),
  he: () => import('../words/he.ts'),
  ja: () => import('../words/ja.ts'),
  zh: () => import('../words/zh.ts'),
};
