// Tests of the form for the configuration of a chat: each field has a label or a reason, and values return as they were.
import { expect, test } from 'vitest';
import type { Configuration } from '../../../protocol/page-api/config.ts';
import { fieldNames, fields, readLayer } from '../../../protocol/page-api/config-layers.ts';
import { fieldGroups, withoutControl } from './configuration-fields.ts';
import { configurationOf, formFieldsOf, previewOf, valuesOf } from './configuration-form.ts';

const groups = fieldGroups();
const labelled = groups.flatMap(({ fields }) => fields);

test('each field of the configuration has a label or a stated reason, and not both', () => {
  const names = [...labelled.map(({ name }) => name), ...Object.keys(withoutControl)];
  expect(names.toSorted()).toEqual([...fieldNames].toSorted());
});

test('each value of a choice has a name', () => {
  for (const { name, choices = {} } of labelled) {
    const [{ values = [] }] = fields[name];
    expect([name, Object.keys(choices).toSorted()]).toEqual([name, [...values].toSorted()]);
  }
});

test('labels are words that begin with a capital letter, and not names of fields', () => {
  for (const { label } of labelled) expect(label).toMatch(/^(?!.*[a-z][A-Z])[A-Z].{3,}/);
});

/** The configuration after each group was saved once without a change. */
const saved = (configuration: Configuration): Configuration =>
  groups.reduce((before, group) => configurationOf(group, valuesOf(groups, before), before), configuration);

test('an empty configuration stays empty', () => {
  expect(saved({})).toEqual({});
});

test('a configuration that is saved without a change stays the same', () => {
  const configuration: Configuration = {
    botName: 'Ann',
    footer: '',
    aiNotice: false,
    starters: ['Where is my order?', 'Prices'],
    home: { title: 'Hello', starters: false, links: [{ title: 'Help', link: '/help' }] },
    color: '#0a7a5a',
    themeMode: 'auto',
    textSize: 15,
    launcher: false,
    strings: { send: 'Go', unread: { one: '{count} new', other: '{count} new' } },
    phone: { title: 'Call us', link: 'tel:+1' },
    conversationList: false,
    preChatForm: { name: 'required' },
    proactive: [{ id: 'a', text: 'Questions?' }],
  };
  expect(readLayer(configuration, ({ message }) => expect(message).toBe(''))).toEqual(configuration);
  expect(saved(configuration)).toEqual(configuration);
});

test('cleared fields are left out, and those of others stay', () => {
  const before: Configuration = { botName: 'Ann', color: '#0a7a5a', preChatForm: { name: 'required' } };
  const [bot] = groups;
  if (!bot) throw new Error('There is no group.');
  const values = {
    ...valuesOf(groups, before),
    'configuration.botName': ' ',
    'configuration.starters': ' A \n\nB',
  };
  expect(configurationOf(bot, values, before)).toEqual({
    starters: ['A', 'B'],
    color: '#0a7a5a',
    preChatForm: { name: 'required' },
  });
});

test('the preview shows the default of a field that was cleared', () => {
  expect(previewOf({ color: '#0a7a5a', botAvatar: 'a.png' }, {})).toEqual({ color: '#3276EA' });
});

test('each field of the form has a name of its own', () => {
  const names = groups.flatMap(formFieldsOf).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
