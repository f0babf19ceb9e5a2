// Reads the shown fields of a source. The source comes from the wire and can have any form. Pure.
import type { SourcePart } from '../../../protocol/parts.ts';
import { toDrawable } from '../../chat/payloads/drawable.ts';

export interface Source {
  title: string;
  /** http or https, and its host; undefined for a source that is only a title. */
  link: { href: string; host: string } | undefined;
  /** The passage that was used; '' if it is not shown. */
  snippet: string;
  /** From 1. */
  page: number | undefined;
}

/** Returns a text that can be drawn; '' for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? toDrawable(value) : '');

export function readSource({ title, url, snippet, page }: SourcePart): Source {
  const link = linkOf(url);
  return {
    title: textOf(title) || link?.host || '–',
    link,
    snippet: textOf(snippet).trim(),
    page: Number.isInteger(page) && (page as number) > 0 ? page : undefined,
  };
}

function linkOf(url: unknown): Source['link'] {
  try {
    const { href, host, protocol } = new URL(String(url));
    return /^https?:$/.test(protocol) ? { href, host } : undefined;
  } catch {
    return undefined;
  }
}
