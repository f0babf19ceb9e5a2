// The calls of tools in a stream of chat completions: pieces of several calls, told apart by their index.
import type { AgentEvent } from '../protocol.ts';

/** A piece of a call. Nothing in it is trusted. */
export interface CallDelta {
  index?: unknown;
  id?: unknown;
  function?: unknown;
}

interface Call {
  id: string;
  /** The id that the agent gave; '' for none. */
  given: string;
  /** '' until it is known. */
  name: string;
  /** The JSON that was read so far. */
  input: string;
  /** The input that was already passed to the runner, as a text. */
  reported: string | undefined;
  isDone: boolean;
}

export interface Calls {
  /** The number of calls. */
  readonly size: number;
  names(): string[];
  read(delta: CallDelta): AgentEvent[];
  /** The inputs that were not passed to the runner yet. */
  inputs(): AgentEvent[];
  /** Marks the calls with a complete input as done, except those of `ours`: the agent has run them itself. */
  done(ours: ReadonlySet<string>): AgentEvent[];
  /** Returns the calls that are not done, in the form of the assistant's message in the next request. */
  asMessage(): object[];
}

/** The maximum number of calls in a response; further ones are dropped. */
const maxCalls = 200;

/** `known`: the ids of earlier calls of the turn, which no call of this response can have. */
export function createCalls(known: ReadonlySet<string> = new Set()): Calls {
  const calls: Call[] = [];
  /** The newest call of an index: some servers use the same one again. */
  const byIndex = new Map<number, Call>();

  const named = () => calls.filter(({ name }) => name !== '');

  /** The newest call of an id: pieces of calls without indexes may alternate. */
  const ofId = (id: string) => (id === '' ? undefined : calls.findLast(({ given }) => given === id));

  function callOf(index: number | undefined, id: string, name: string, piece: string): Call | undefined {
    const found = index === undefined ? (ofId(id) ?? calls.at(-1)) : byIndex.get(index);
    const isOther = id !== '' && found !== undefined && found.given !== '' && found.given !== id;
    // A server without ids and indexes: each name begins a call.
    const isNamed = id === '' && name !== '' && found !== undefined && found.name !== '';
    const isNext = isNamed && (index === undefined || (isShortAndWhole(found.input) && piece.trim() !== ''));
    if (found && !isOther && !isNext) return found;
    if (calls.length >= maxCalls) return undefined;
    const isUsed = (one: string) => known.has(one) || calls.some((other) => other.id === one);
    let own = id;
    for (let n = known.size + calls.length + 1; own === '' || isUsed(own); n += 1) own = `call-${n}`;
    const call: Call = {
      id: own,
      given: id,
      name: '',
      input: '',
      reported: undefined,
      isDone: false,
    };
    calls.push(call);
    if (index !== undefined) byIndex.set(index, call);
    return call;
  }

  function* report(call: Call): Generator<AgentEvent> {
    if (call.reported === call.input) return;
    call.reported = call.input;
    yield { type: 'tool-input', id: call.id, input: inputOf(call.input) };
  }

  return {
    get size() {
      return named().length;
    },
    names: () => named().map(({ name }) => name),
    read({ index, id, function: given }) {
      const { name, arguments: input } = { ...(given as { name?: unknown; arguments?: unknown } | null) };
      const newName = typeof name === 'string' ? name : '';
      // Some servers send the input as an object.
      const isValue = typeof input === 'object' && input !== null;
      const piece = isValue ? JSON.stringify(input) : typeof input === 'string' ? input : '';
      const call = callOf(indexOf(index), typeof id === 'string' ? id : '', newName, piece);
      if (!call) return [];
      call.input += piece;
      if (call.name !== '' || newName === '') return [];
      call.name = newName;
      return [{ type: 'tool', id: call.id, name: newName }];
    },
    inputs: () => named().flatMap((call) => [...report(call)]),
    done: (ours) =>
      named().flatMap((call) => {
        if (call.isDone || ours.has(call.name) || !isWhole(call.input)) return [];
        call.isDone = true;
        return [...report(call), { type: 'tool-output' as const, id: call.id, output: undefined }];
      }),
    asMessage: () =>
      named()
        .filter(({ isDone }) => !isDone)
        .map(({ id, name, input }) => ({
          id,
          type: 'function',
          // Servers refuse a conversation with arguments that are not JSON. The result says what was wrong.
          function: { name, arguments: input.trim() !== '' && isWhole(input) ? input : '{}' },
        })),
  };
}

/** The value of an input; {} if the call has none, and the text if it is not JSON. */
function inputOf(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** An index, which some servers write as a text. */
function indexOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : undefined;
}

/** Whether an input is complete. Long ones are not parsed with each piece. */
const isShortAndWhole = (input: string): boolean =>
  input.length <= 16_000 && input.trim() !== '' && isWhole(input);

const isWhole = (input: string): boolean => typeof inputOf(input) !== 'string';
