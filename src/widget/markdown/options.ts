// Creates the options for all messages from the configuration: which pictures may load immediately, and the strings.
import en from '../../locales/en.json' with { type: 'json' };
import type { ResolvedConfiguration } from '../../protocol/page-api/config.ts';
import type { MarkdownStrings } from '../i18n/catalogue.ts';
import type { MarkdownOptions } from './types.ts';

/** The English strings of this bundle. */
export const strings = en.widget.markdown;

/**
 * The origins of the page and of the chat are always listed. Only the strings that Markdown needs are copied, so that a
 * change of another string does not cause a new rendering.
 */
export function createOptions(
  { remoteImages, imageOrigins }: ResolvedConfiguration,
  chatUrl: string,
  all: MarkdownStrings,
): MarkdownOptions {
  const listed = [...(imageOrigins ?? '').split(/\s+/), chatUrl, location.href].flatMap(originOf);
  const keys = [...Object.keys(strings), 'newTab'] as (keyof MarkdownStrings)[];
  const present = Object.fromEntries(keys.map((key) => [key, all[key]])) as MarkdownStrings;
  return { images: remoteImages, imageOrigins: listed, strings: present };
}

function originOf(address: string): string[] {
  try {
    return address ? [new URL(address).origin] : [];
  } catch {
    return [];
  }
}
