// Tests that what only the team may see has types that nothing for visitors takes.
import { expectTypeOf, test } from 'vitest';
import type { Note, TeamSignal } from './inbox.ts';
import type { Message } from './message.ts';
import type { Signal } from './signal.ts';

test('notes: neither a note nor a signal of the team is taken where a visitor could read it', () => {
  expectTypeOf<TeamSignal>().not.toExtend<Signal>();
  expectTypeOf<Signal>().not.toExtend<TeamSignal>();
  expectTypeOf<Note>().not.toExtend<Message>();
  expectTypeOf<Message>().not.toExtend<Note>();
});
