// What all messages are drawn by: whose pictures may load at once, and the words. Remembers it.
import type { ResolvedConfiguration } from '../../protocol/config.ts';
import type { RichTexts } from '../i18n/catalogue.ts';
import { rich as english } from '../i18n/en/markdown.ts';
import type { RichOptions } from './main.ts';

let policy: RichOptions;

/** The policy as it is now; another object when it has changed. Set before the first message. */
export const getPolicy = (): RichOptions => policy;

/**
 * Takes it from the configuration; the page's own origin and the chat's are always listed. Of the words it takes those
 * it needs: others that change are no reason to draw anything again.
 */
export function setPolicy(
  { remoteImages, imageOrigins }: ResolvedConfiguration,
  chatUrl: string,
  all: RichTexts,
): void {
  const listed = [...(imageOrigins ?? '').split(/\s+/), chatUrl, location.href].flatMap(originOf);
  const keys = [...Object.keys(english), 'newTab'] as (keyof RichTexts)[];
  const words = Object.fromEntries(keys.map((key) => [key, all[key]])) as unknown as RichTexts;
  const next = { images: remoteImages, imageOrigins: listed, words };
  if (JSON.stringify(next) !== JSON.stringify(policy)) policy = next;
}

function originOf(address: string): string[] {
  try {
    return address ? [new URL(address).origin] : [];
  } catch {
    return [];
  }
}
