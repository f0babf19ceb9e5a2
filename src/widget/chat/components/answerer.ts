// Who answers now, as the header and the typing row show it.
import type { State } from '../store/store.ts';

/** The name, the picture and the description of the person who answers, who has no description, or of the bot. */
export function answererOf({
  configuration: { botName, botAvatar, botDescription },
  handling,
}: Pick<State, 'configuration' | 'handling'>): [
  name: string,
  pictureUrl: string | undefined,
  description?: string | undefined,
] {
  // Not from an empty object: the page may have added names to all objects.
  const person = handling?.person;
  return person ? [person.name, person.pictureUrl] : [botName, botAvatar, botDescription];
}
