// The name of a person above the first of their messages. A word distinguishes people from the bot, not only a color.
import { interpolate } from '../i18n/current.ts';
import { strings } from './strings.ts';

export function Speaker({ name }: { name: string }) {
  return (
    <p class="speaker" part="speaker" aria-hidden="true">
      <bdi>{name}</bdi>
    </p>
  );
}

/** The name of a person for screen readers, with the word that says that it is one. */
export const speakerName = (name: string): string => interpolate(strings.personNamed, { name });
