// Whose pictures may load at once. Remembers it for all messages.
import type { ResolvedConfiguration } from '../../protocol/config.ts';
import type { RichOptions } from './main.ts';

type Pictures = Pick<RichOptions, 'images' | 'imageOrigins'>;

let pictures: Pictures = { images: 'click', imageOrigins: [] };

/** The policy as it is now; another object when it has changed. */
export const picturePolicy = (): Pictures => pictures;

/** Takes it from the configuration; the page's own origin and the chat's are always listed. */
export function setPictures({ remoteImages, imageOrigins }: ResolvedConfiguration, chatUrl: string): void {
  const listed = [...(imageOrigins ?? '').split(/\s+/), chatUrl, location.href].flatMap(originOf);
  if (pictures.images === remoteImages && pictures.imageOrigins.join() === listed.join()) return;
  pictures = { images: remoteImages, imageOrigins: listed };
}

function originOf(address: string): string[] {
  try {
    return address ? [new URL(address).origin] : [];
  } catch {
    return [];
  }
}
