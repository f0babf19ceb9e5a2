// Tests which state of a session follows which.
import { expect, test } from 'vitest';
import { createStateMachine, type SessionState } from './session-state.ts';

const states: readonly SessionState[] = ['idle', 'connecting', 'ready', 'recovering', 'ended'];
/** How each state is reached. */
const paths: Record<SessionState, readonly SessionState[]> = {
  idle: [],
  connecting: ['connecting'],
  ready: ['connecting', 'ready'],
  recovering: ['connecting', 'ready', 'recovering'],
  ended: ['ended'],
};
const following: Record<SessionState, readonly SessionState[]> = {
  idle: ['connecting', 'ended'],
  connecting: ['ready', 'recovering', 'idle', 'ended'],
  ready: ['recovering', 'idle', 'ended'],
  recovering: ['ready', 'idle', 'ended'],
  ended: [],
};

test.each(
  states.flatMap((from) => states.map((to) => ({ from, to, isAllowed: following[from].includes(to) }))),
)('from $from to $to: entered is $isAllowed', ({ from, to, isAllowed }) => {
  const machine = createStateMachine();
  for (const state of paths[from]) machine.enter(state);
  expect(machine.current).toBe(from);
  machine.enter(to);
  expect(machine.current).toBe(isAllowed ? to : from);
});
