// Tests of a row of the list: the last words of a human, the waiting time, and the state where the list does not say it.
import { expect, test } from 'vitest';
import { at, rowOf } from '../state/testing.ts';
import { isStateShown, lastWordsOf } from './ConversationRow.tsx';
import { isLate } from './times.ts';

const me = { memberId: 'ada', name: 'Ada' };
const ofAda = { assignee: { memberId: 'ada', name: 'Ada' } };

test('a row shows what the visitor said last, and not what the bot has answered', () => {
  const row = rowOf('a', {
    preview: 'You said: I was charged twice',
    lastAuthor: 'bot',
    humanMessage: { preview: 'I was charged twice', author: 'visitor' },
  });
  expect(lastWordsOf(row, me)).toEqual({ speaker: '', text: 'I was charged twice' });
});

test('a row names the colleague who wrote last, and the member as "You"', () => {
  const said = (name: string | undefined) =>
    rowOf('a', {
      ...ofAda,
      preview: 'On its way',
      lastAuthor: 'person',
      humanMessage: { preview: 'On its way', author: 'person', ...(name !== undefined && { name }) },
    });
  expect(lastWordsOf(said('Ben'), me)).toEqual({ speaker: 'Ben: ', text: 'On its way' });
  expect(lastWordsOf(said('Ada'), me).speaker).toBe('You: ');
  expect(lastWordsOf(said(undefined), me).speaker).toBe('Team: ');
  // A colleague with the same name answers.
  expect(lastWordsOf({ ...said('Ada'), assignee: { memberId: 'eve', name: 'Ada' } }, me).speaker).toBe(
    'Ada: ',
  );
});

test('where no human has written, a row shows the message of the bot with its author', () => {
  expect(lastWordsOf(rowOf('a', { preview: 'Hello!', lastAuthor: 'bot' }), me)).toEqual({
    speaker: 'Bot: ',
    text: 'Hello!',
  });
});

test.each([
  ['unassigned', rowOf('a'), false],
  ['waiting', rowOf('a'), false],
  ['all', rowOf('a'), true],
  ['mine', rowOf('a', { state: 'assigned', ...ofAda }), false],
  ['waiting', rowOf('a', { state: 'assigned', ...ofAda }), true],
  ['mine', rowOf('a', { state: 'assigned', assignee: { memberId: 'ben', name: 'Ben' } }), true],
  ['closed', rowOf('a', { state: 'closed' }), false],
  ['mine', rowOf('a', { state: 'closed' }), true],
  ['snoozed', rowOf('a', { state: 'snoozed' }), true],
  ['bot', rowOf('a', { state: 'bot' }), true],
] as const)('in the list %s a row says its state only if the list does not (%#)', (list, row, isShown) => {
  expect(isStateShown(list, row, 'ada')).toBe(isShown);
});

test('a waiting time is a warning from five minutes on', () => {
  expect(isLate(at(0), Date.parse(at(299)))).toBe(false);
  expect(isLate(at(0), Date.parse(at(300)))).toBe(true);
});
