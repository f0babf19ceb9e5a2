// The person or bot that answers now, as the header shows it, the one that types, and names that are still to be loaded.
import { background } from '../bundles.ts';
import type { Row, State, Store } from '../store/store.ts';

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

/** The name and the picture of the one who types, and whether that is a person; undefined if nobody does. */
export function typistOf(
  state: State,
): [name: string, pictureUrl: string | undefined, isPerson: boolean] | undefined {
  const { typing, participants } = state;
  if (typing === undefined) return undefined;
  const participant = participants.get(typing);
  if (participant) return [participant.name, participant.pictureUrl, true];
  const [name, pictureUrl] = answererOf(state);
  return [name, pictureUrl, !!state.handling?.person];
}

/** Returns whether another participant wrote a message whose name is still to be loaded. */
export function isNamePending(row: Row, store: Store): boolean {
  const { side, userId } = row;
  const bot = store.state.webchat?.botUserId;
  const isParticipant = bot && side === 'bot' && userId && userId !== bot;
  return !!isParticipant && !store.personOf(row) && background.module !== null;
}
