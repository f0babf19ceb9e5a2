// Tests of the editor of the form before the chat: a form returns as it was, names of fields, and refused fields.
import { expect, test } from 'vitest';
import type { PreChatForm } from '../../../protocol/page-api/configuration.ts';
import { canAdd, editedFormOf, newField, preChatFormOf, problemOfField } from './pre-chat.ts';

const form: PreChatForm = {
  text: 'We answer in a few minutes.',
  name: 'required',
  email: 'optional',
  topics: ['Prices', { label: 'My order', value: 'order' }],
  fields: [
    { name: 'number', label: 'Order number', required: true },
    { name: 'size', label: 'Size', options: ['S', { label: 'Medium', value: 'm' }] },
  ],
  consent: 'I agree.',
};

test('a form that is not changed stays the same', () => {
  expect(preChatFormOf(editedFormOf(form), form.consent)).toEqual(form);
  expect(preChatFormOf(editedFormOf({}), undefined)).toBeUndefined();
});

test('a text alone asks for nothing, and a sentence of consent does', () => {
  expect(preChatFormOf({ text: 'Hello', fields: [] }, undefined)).toBeUndefined();
  expect(preChatFormOf({ text: '', fields: [] }, 'I agree.')).toEqual({ consent: 'I agree.' });
});

test('a new field has a name from its label, which no other field has', () => {
  const fields = ['Größe des Schuhs', 'Größe des Schuhs', '数量'].map((label) => newField('text', { label }));
  const { fields: stored = [] } = preChatFormOf({ text: '', fields }, undefined) ?? {};
  expect(stored.map(({ name }) => name)).toEqual(['gro_e_des_schuhs', 'gro_e_des_schuhs_2', 'field']);
});

test('choices keep their values when others are added, and none is there twice', () => {
  const edited = editedFormOf(form);
  const [topics] = edited.fields.filter(({ kind }) => kind === 'topics');
  if (topics) topics.options = 'My order\n\nReturns\nReturns ';
  expect(preChatFormOf(edited, undefined)?.topics).toEqual([
    { label: 'My order', value: 'order' },
    'Returns',
  ]);
});

test('a field without a label, or without choices, has a problem', () => {
  expect(problemOfField(newField('text'))).toBe('label');
  expect(problemOfField(newField('choice', { label: 'Size' }))).toBe('options');
  expect(problemOfField(newField('topics'))).toBe('options');
  expect(problemOfField(newField('name'))).toBeUndefined();
});

test('name, address and topic are asked once, and there are at most ten own fields', () => {
  const { fields } = editedFormOf(form);
  expect(canAdd('name', fields)).toBe(false);
  expect(canAdd('text', fields)).toBe(true);
  expect(
    canAdd(
      'choice',
      Array.from({ length: 10 }, () => newField('text')),
    ),
  ).toBe(false);
});
