// The requests that fail and their faults: rules generated from a seed, so that a run can be repeated.
import type { Random } from '../random.ts';

/** Every fault of the proxy; `fault-injections.ts` implements each. */
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
  /** Bytes of the response body that are sent before it is cut or becomes silent. */
  bytes: number;
  /** Whether a page of another origin can read a response that the proxy itself writes. */
  cors: boolean;
}

/** Requests by purpose; the patterns match `POST /messages`, without the address of the chat and the query. */
export const targets = {
  send: /^POST \/messages$/,
  listen: /^GET \/conversations\/[^/]+\/listen$/,
  list: /^GET \/conversations\/[^/]+\/messages$/,
  begin: /^POST \/(users|conversations)$/,
  preflight: /^OPTIONS /,
  any: /^(?!OPTIONS )/,
} as const;
export type Target = keyof typeof targets;

/** Applies the fault once, to the first matching request after `skip` matching ones. */
export interface Rule {
  on: Target;
  skip: number;
  fault: Fault;
}

/** The faults of each request. A delayed or duplicated stream tests nothing more; a preflight has no body to cut. */
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
/** Sending fails most often, because a message can be lost there. */
const usual: readonly [On, ...On[]] = ['send', 'send', 'send', 'listen', 'listen', 'list', 'preflight'];

/** Generates `count` rules for some of the requests. */
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

/** Formats one rule per line, for the report of a failure. */
export const showSchedule = (rules: readonly Rule[]): string =>
  rules
    .map(({ on, skip, fault: { kind, ms, bytes, cors } }) =>
      [on, `after ${skip}`, kind, `${ms} ms`, `${bytes} bytes`, cors ? 'cors' : 'no cors'].join(', '),
    )
    .join('\n');
