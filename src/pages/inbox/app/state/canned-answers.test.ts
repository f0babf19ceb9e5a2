// Tests the search in canned answers.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CannedAnswer } from '../../../../protocol/inbox.ts';
import { emptyVariables, fillAnswer, findAnswers, valuesOf } from './canned-answers.ts';
import { cleanFilter, viewKey } from './lists.ts';
import { addressOf, routeOf } from './route.ts';

const lookUp = valuesOf({
  visitorName: 'Ada',
  memberName: undefined,
  fields: [
    ['city', 'Köln'],
    ['visitor.name', 'not this'],
    ['empty', '  '],
    ['evil', '{{city}} $& $1'],
  ],
});

test.each([
  ['Hello {{visitor.name}}', 'Hello Ada', 0],
  ['{{ city }}/{{city|Bonn}}', 'Köln/Köln', 0],
  ['{{empty|your town}} {{street|}}', 'your town {{street}}', 1],
  ['{{member.name}}, {{conversation.page}}', '{{member.name}}, {{conversation.page}}', 2],
  // Variables in a value are not replaced.
  ['{{evil}}', '{{city}} $& $1', 1],
  ['{{}} {{ }} {x} {{1}} {{a b}}', '{{}} {{ }} {x} {{1}} {{a b}}', 0],
  ['{{constructor}} {{__proto__}}', '{{constructor}} {{__proto__}}', 2],
])('%j becomes %j', (text, filled, empty) => {
  expect(fillAnswer(text, lookUp)).toBe(filled);
  expect(emptyVariables(filled)).toHaveLength(empty);
});

test('empty variables of any text are where they are said to be, and removing them leaves none', () => {
  const piece = fc.constantFrom('{{', '}}', '{', '}', '|', 'name', '{{a}}', '{{b|c}}', ' ', 'ü.x', '\n');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      let text = pieces.join('');
      const variables = emptyVariables(text);
      for (const { from, to, text: variable } of variables) expect(text.slice(from, to)).toBe(variable);
      while (emptyVariables(text)[0]) {
        const { from = 0, to = 0 } = emptyVariables(text)[0] ?? {};
        text = text.slice(0, from) + text.slice(to);
      }
      expect(emptyVariables(fillAnswer(text, () => undefined))).toEqual([]);
    }),
  );
});

test('a narrowed list has an address, and what is not known of an address is left out', () => {
  const filter = { q: 'a b&c', bot: 'bot', assignee: 'm', tag: '#ü', sort: 'oldest' } as const;
  const route = { list: 'all', conversationId: 'c', isVisitorShown: false, filter } as const;
  expect(routeOf(addressOf(route))).toEqual(route);
  expect(routeOf('?list=all&q=%20&sort=odd&x=1').filter).toBeUndefined();
  expect(cleanFilter({ q: ' ', tag: '' })).toBeUndefined();
  const keys = [{}, { q: 'a' }, { tag: 'a' }, { q: 'a', tag: 'a' }, { sort: 'oldest' as const }];
  expect(new Set(keys.map((each) => viewKey({ list: 'all', filter: each }))).size).toBe(keys.length);
});

const answer = (id: string, name: string, text: string) => ({ id, name, text }) as CannedAnswer;
const answers = [
  answer('street', 'Address', 'Hauptstraße 5, Łódź'),
  answer('refund', '返金', 'ご返金について'),
  answer('note', 'Note', '关于订单的说明'),
];

test.each([
  ['hauptstrasse', ['street']],
  ['LODZ', ['street']],
  ['返金', ['refund']],
  ['订单', ['note']],
  ['add haupt', ['street']],
  ['x', []],
])('%s finds %j', (search, ids) => {
  expect(findAnswers(answers, search).map(({ id }) => id)).toEqual(ids);
});
