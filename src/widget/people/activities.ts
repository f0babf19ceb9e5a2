// Activities of people, such as "Ada joined", as rows of the transcript.
import type { Activity } from '../../protocol/handling.ts';
import type { Message, Payload } from '../../protocol/message.ts';
import { interpolate } from '../i18n/current.ts';
import { strings } from './strings.ts';

/** The payload of a row of the transcript that is not a message: its text and its activity. */
interface ActivityPayload {
  type: 'text';
  text: string;
  activity: Activity;
}

/** Returns the text of an activity in the current language. */
export function textOf({ type, actor: { name = '' } }: Activity): string {
  switch (type) {
    case 'handoff_requested':
      return strings.personRequested;
    case 'person_joined':
      return interpolate(strings.personJoined, { name });
    case 'person_left':
      return interpolate(strings.personLeft, { name });
    case 'returned_to_bot':
      return strings.botAnswers;
    case 'conversation_closed':
      return strings.conversationEnded;
  }
}

/** The order of activities of the same change: a person who leaves comes before one who joins. */
const order: readonly Activity['type'][] = [
  'handoff_requested',
  'person_left',
  'person_joined',
  'returned_to_bot',
  'conversation_closed',
];

/** The activity of a row of the transcript; undefined for "Seen". */
export const activityOf = (payload: Payload): Activity | undefined => (payload as ActivityPayload).activity;

/** An activity in the form of a message, which the store sorts into the transcript. Its id is always the same. */
export function toRowMessage(conversationId: string, activity: Activity): Message {
  const payload: ActivityPayload = { type: 'text', text: textOf(activity), activity };
  return {
    id: `activity_${activity.seq}_${order.indexOf(activity.type)}`,
    createdAt: activity.createdAt,
    conversationId,
    userId: '',
    payload: payload as Payload,
  };
}
