// The state of an agent that the server keeps for the next run.
import { bytesOf, objectOf } from '../shared/values.ts';
import { stateBytes } from './saved-run.ts';

export interface KeptState {
  change(value: unknown): void;
  /** The state as the agent left it, to which its next change belongs. */
  readonly whole: unknown;
  /** The state that is kept; undefined if there is none, or if it is too large. */
  readonly value: unknown;
  /** The bytes of a state that is too large; 0 if it is kept. */
  readonly dropped: number;
}

/** Bytes of a state that changes can be applied to. */
const followedBytes = 1_000_000;

/** `first`: the state that the previous run left. */
export function createKeptState(first: unknown): KeptState {
  let whole = first;
  let value = first;
  let dropped = 0;
  return {
    change(next) {
      const bytes = bytesOf(next);
      whole = bytes <= followedBytes ? next : undefined;
      // An incomplete state would mislead the agent. Without a state it begins again.
      value = bytes <= stateBytes ? next : withoutMessages(next);
      dropped = next === undefined || value !== undefined ? 0 : bytes;
    },
    get whole() {
      return whole;
    },
    get value() {
      return value;
    },
    get dropped() {
      return dropped;
    },
  };
}

/** A state without the conversation, which each request has anyway: LangGraph puts it there. Undefined if it is still too large. */
function withoutMessages(state: unknown): unknown {
  const { messages, ...rest } = objectOf(state) ?? {};
  return Array.isArray(messages) && bytesOf(rest) <= stateBytes ? rest : undefined;
}
