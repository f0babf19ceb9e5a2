// Tests the question of an agent that says nothing, in the languages of the window.
import { expect, test } from 'vitest';
import { limitTexts } from '../limit-message.ts';
import { unknownQuestionIn, unknownQuestions } from './unknown-question.ts';

test('the question exists in each language that the window has', () => {
  expect(Object.keys(unknownQuestions)).toEqual(Object.keys(limitTexts));
  expect(unknownQuestionIn(['de-AT'])).toBe(unknownQuestions.de);
  expect(unknownQuestionIn([undefined, 'tlh'])).toBe(unknownQuestions.en);
});
