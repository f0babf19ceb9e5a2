// Who answers now, as the header shows it, and who types.
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

/** The name and the picture of the one who types; undefined if nobody does. */
export function typistOf(state: State): [name: string, pictureUrl: string | undefined] | undefined {
  const { typing, participants } = state;
  if (typing === undefined) return undefined;
  const participant = participants.get(typing);
  if (participant) return [participant.name, participant.pictureUrl];
  const [name, pictureUrl] = answererOf(state);
  return [name, pictureUrl];
}
