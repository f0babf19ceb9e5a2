// Tests that the examples of handoffs and of the inbox are valid, and that no id is used twice.
import * as v from 'valibot';
import { expect, expectTypeOf, test } from 'vitest';
import type { Note, TeamSignal } from '../../handling/inbox.ts';
import type { Message } from '../../message.ts';
import type { Signal } from '../../signal.ts';
import { adminOperations } from '../admin/index.ts';
import { handoffs as chatHandoffs } from '../chat/handoffs.ts';
import { chatOperations } from '../chat/index.ts';
import { hasBody, type Operation } from '../operation.ts';
import { handoffs as runtimeHandoffs } from '../runtime/handoffs.ts';
import { runtimeOperations } from '../runtime/index.ts';
import { inboxOperations } from './index.ts';

const declared: Operation[] = [chatHandoffs, runtimeHandoffs, inboxOperations].flatMap(
  (operations): Operation[] => Object.values(operations),
);

test.each(declared.map((operation) => [operation.id, operation] as const))(
  '%s: the examples are valid and have all path parameters',
  (_, operation) => {
    const parameters = [...operation.route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    for (const example of operation.examples ?? [{}]) {
      const fields = new Map(Object.entries(example));
      expect([...fields.keys()]).toEqual(expect.arrayContaining(parameters));
      for (const name of parameters) fields.delete(name);
      if (operation.input && hasBody(operation))
        expect(v.safeParse(operation.input, Object.fromEntries(fields)).issues).toBeUndefined();
    }
  },
);

test('no operation has the id of another one', () => {
  const others: Operation[] = [chatOperations, runtimeOperations, adminOperations].flatMap(
    (operations): Operation[] => Object.values(operations),
  );
  const ids = new Set([...declared, ...others].map(({ id }) => id));
  const all = [...new Set([...declared, ...others])];
  expect(ids.size).toBe(all.length);
});

test('notes: neither a note nor a signal of the team is taken where a visitor could read it', () => {
  expectTypeOf<TeamSignal>().not.toExtend<Signal>();
  expectTypeOf<Signal>().not.toExtend<TeamSignal>();
  expectTypeOf<Note>().not.toExtend<Message>();
  expectTypeOf<Message>().not.toExtend<Note>();
});
