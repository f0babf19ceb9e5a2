// Reads the state of who answers from a response of the server, which may have any form. Pure.
import {
  type Activity,
  activityTypes,
  type Handling,
  type Person,
  type ReadMark,
  ratingStates,
  visibleStates,
} from '../../protocol/handling.ts';
import type { Rating } from '../../protocol/types/handling.ts';

/** Characters of a name that are shown. */
const nameLength = 200;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, nameLength) : undefined);
const timeOf = (value: unknown) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined;

function personOf(value: unknown): Person | undefined {
  const { name, pictureUrl } = Object(value) as Partial<Record<keyof Person, unknown>>;
  const nameText = textOf(name);
  if (!nameText) return undefined;
  return { name: nameText, ...(typeof pictureUrl === 'string' && { pictureUrl }) };
}

/** Returns who answers; undefined if the value is invalid. */
export function readHandling(value: unknown): Handling | undefined {
  if (!isObject(value)) return undefined;
  const { conversationId, revision, state, person, queue, opensAt } = value;
  const knownState = visibleStates.find((each) => each === state);
  if (typeof conversationId !== 'string' || typeof revision !== 'number' || !knownState) return undefined;
  const { position } = Object(queue) as { position?: unknown };
  const [whoAnswers, opens] = [personOf(person), timeOf(opensAt)];
  return {
    conversationId,
    revision,
    state: knownState,
    ...(knownState === 'assigned' && whoAnswers && { person: whoAnswers }),
    ...(knownState === 'waiting' &&
      Number.isSafeInteger(position) && { queue: { position: position as number } }),
    ...(opens && { opensAt: opens }),
  };
}

/** Returns up to where somebody has read; undefined if the value does not say that. */
export function readMark(value: unknown): Pick<ReadMark, 'until'> | undefined {
  const until = timeOf((Object(value) as { until?: unknown }).until);
  return until ? { until } : undefined;
}

/** Returns whether the visitor is asked how helpful a person was; undefined if the value does not say that. */
export function readRating(value: unknown): Rating | undefined {
  const { handoffId, state, offeredAt } = Object(value) as Partial<Record<keyof Rating, unknown>>;
  const knownState = ratingStates.find((each) => each === state);
  const time = timeOf(offeredAt);
  if (typeof handoffId !== 'string' || !knownState || !time) return undefined;
  return { handoffId, state: knownState, offeredAt: time };
}

/** Returns the activities of a list that can be shown. */
export function readActivities(list: unknown): Activity[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown) => {
    const { seq, createdAt, type, actor } = Object(value) as Partial<Record<keyof Activity, unknown>>;
    const knownType = activityTypes.find((each) => each === type);
    const time = timeOf(createdAt);
    if (!knownType || !time || typeof seq !== 'number') return [];
    const name = textOf((Object(actor) as { name?: unknown }).name);
    return {
      seq,
      createdAt: time,
      type: knownType,
      actor: { kind: 'system' as const, ...(name && { name }) },
    };
  });
}
