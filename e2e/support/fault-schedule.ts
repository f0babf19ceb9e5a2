// What shall go wrong, and when: a list of rules made from a seed, so that a run can be repeated. It injects nothing.

/** Every way in which the proxy can fail a request; `e2e/support/fault-proxy.ts` has the row that does it. */
export const faultKinds = [
  'dropRequest',
  'dropResponse',
  'delayRequest',
  'delayResponse',
  'duplicate',
  'reorder',
  'cut',
  'silence',
  'tooMany',
  'internalError',
  'badGateway',
  'unavailable',
  'shortLength',
  'shortChunks',
  'garbage',
  'portal',
  'empty',
  'drip',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  kind: FaultKind;
  /** Milliseconds of a delay. */
  ms: number;
  /** Bytes of the answer's body that pass before it is cut or falls silent. */
  bytes: number;
  /** Whether an answer of the proxy's own may be read by a page of another origin. Many error pages may not. */
  cors: boolean;
}

/** Requests by what they are for; the patterns see `POST /messages`, without the chat's address and the query. */
export const targets = {
  send: /^POST \/messages$/,
  listen: /^GET \/conversations\/[^/]+\/listen$/,
  list: /^GET \/conversations\/[^/]+\/messages$/,
  begin: /^POST \/(users|conversations)$/,
  preflight: /^OPTIONS /,
  any: /^(?!OPTIONS )/,
} as const;
export type Target = keyof typeof targets;

/** The first request that fits after `skip` others that fit has the fault; then the rule is used up. */
export interface Rule {
  on: Target;
  skip: number;
  fault: Fault;
}

export interface Random {
  /** 0 up to, and without, 1. */
  next(): number;
  /** An integer from 0 up to, and without, `below`. */
  below(below: number): number;
  pick<const T>(list: readonly [T, ...T[]]): T;
}

/** Chance from a seed (mulberry32): the same seed, the same numbers. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, pick: (list) => list[below(list.length)] ?? list[0] };
}

/** What may fail how. A stream that is delayed or doubled tells nothing new; a preflight has no body to cut. */
const kindsOf: Record<Exclude<Target, 'any'>, readonly [FaultKind, ...FaultKind[]]> = {
  send: faultKinds,
  list: faultKinds,
  begin: faultKinds,
  listen: [
    'dropRequest',
    'dropResponse',
    'cut',
    'cut',
    'cut',
    'silence',
    'tooMany',
    'badGateway',
    'unavailable',
    'portal',
    'empty',
    'drip',
  ],
  preflight: ['dropRequest', 'badGateway'],
};

type On = keyof typeof kindsOf;
/** Sending fails most, because that is where a word can get lost. */
const usual: readonly [On, ...On[]] = ['send', 'send', 'send', 'listen', 'listen', 'list', 'preflight'];

/** `count` rules for some of the requests. */
export function createSchedule(random: Random, count: number, on = usual): Rule[] {
  return Array.from({ length: count }, () => {
    const target = random.pick(on);
    return {
      on: target,
      skip: random.below(2),
      fault: {
        kind: random.pick(kindsOf[target]),
        ms: 20 + random.below(400),
        bytes: random.below(600),
        cors: random.below(2) > 0,
      },
    };
  });
}

/** One rule a line, for the report of a failure. */
export const showSchedule = (rules: readonly Rule[]): string =>
  rules
    .map(({ on, skip, fault: { kind, ms, bytes, cors } }) =>
      [on, `after ${skip}`, kind, `${ms} ms`, `${bytes} bytes`, cors ? 'cors' : 'no cors'].join(', '),
    )
    .join('\n');
