// Loads the catalogues. English needs none, because it is part of the bundles.
import type { Catalogue } from './catalogue.ts';

type Load = () => Promise<{ default: Catalogue }>;

/** By base language. */
export const catalogues: Record<string, Load> = {
  de: () => import('./catalogues/de.ts'),
  fr: () => import('./catalogues/fr.ts'),
  es: () => import('./catalogues/es.ts'),
  pt: () => import('./catalogues/pt.ts'),
  it: () => import('./catalogues/it.ts'),
  nl: () => import('./catalogues/nl.ts'),
  pl: () => import('./catalogues/pl.ts'),
  tr: () => import('./catalogues/tr.ts'),
  ar: () => import('./catalogues/ar.ts'),
  he: () => import('./catalogues/he.ts'),
  ja: () => import('./catalogues/ja.ts'),
  zh: () => import('./catalogues/zh.ts'),
};
