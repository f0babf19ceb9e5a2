// The states of the calls of tools of the page, as they are shown. Only the named actions write them.
import { type Signal, signal } from '@preact/signals';
import type { PageCall } from '../../page-features.ts';

export interface CallStates {
  /** Returns the state of a call, which waits at first. Reading it while rendering subscribes. */
  of(id: string): PageCall['state'];
  setWaiting(id: string): void;
  setRunning(id: string): void;
  /** The visitor is asked. */
  setAsked(id: string): void;
}

export function createCallStates(): CallStates {
  const states = new Map<string, Signal<PageCall['state']>>();
  const find = (id: string) => {
    const state = states.get(id) ?? signal<PageCall['state']>('stepWaiting');
    states.set(id, state);
    return state;
  };
  const setter = (state: PageCall['state']) => (id: string) => {
    find(id).value = state;
  };
  return {
    of: (id) => find(id).value,
    setWaiting: setter('stepWaiting'),
    setRunning: setter('stepRunning'),
    setAsked: setter(''),
  };
}
