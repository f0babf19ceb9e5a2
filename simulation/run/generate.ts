// Makes the schedule of a seed.
import { frameFaults, type NetworkFault, networkFaults, type Purpose } from '../browser/network.ts';
import { createRandom, type Random } from '../engine/random.ts';
import { botWords } from '../server/bot.ts';
import type { Schedule, Step, TabEnd } from './schedule.ts';

type Maker = (random: Random) => Step;

const tab = (random: Random) => random.below(4);
const fault = (random: Random): NetworkFault => random.pick(networkFaults);
const purpose = (random: Random): Purpose =>
  random.pick([
    'send',
    'send',
    'listen',
    'listen',
    'list',
    'connect',
    'login',
    'activities',
    'features',
    'other',
  ]);
const ending = (random: Random): TabEnd => random.pick(['destroyed', 'left', 'killed']);
const upTo = (random: Random, limit: number) => 1 + random.below(limit);

const often: Maker[] = [
  (r) => ({ do: 'type', tab: tab(r), word: 'echo', count: upTo(r, 4) }),
  (r) => ({ do: 'type', tab: tab(r), word: r.pick(botWords), count: upTo(r, 3) }),
  (r) => ({ do: 'type', tab: tab(r), word: 'echo', count: 1, under: fault(r), times: upTo(r, 4) }),
  (r) => ({ do: 'type', tab: tab(r), word: 'echo', count: upTo(r, 3), under: fault(r), times: upTo(r, 4) }),
  (r) => ({ do: 'reopen', on: r.pick(['listen', 'list']), fault: fault(r), times: upTo(r, 3) }),
  (r) => ({ do: 'elsewhere', tab: tab(r) }),
  (r) => ({ do: 'wait', ms: r.pick([5, 50, 500, 5_000]) }),
];

const seldom: Maker[] = [
  (r) => ({ do: 'wait', ms: r.pick([5_000, 50_000]) }),
  (r) => ({ do: 'fault', on: purpose(r), fault: fault(r), times: upTo(r, 4) }),
  () => ({ do: 'cut' }),
  () => ({ do: 'stall' }),
  (r) => ({ do: 'frames', faults: Array.from({ length: upTo(r, 12) }, () => r.pick(frameFaults)) }),
  (r) => ({ do: 'stopServer', process: r.below(2) }),
  () => ({ do: 'startServers' }),
  (r) => ({ do: 'kill', process: r.below(2), at: r.pick(['statement', 'commit']), count: upTo(r, 30) }),
  (r) => ({ do: 'offline', browser: r.below(2) }),
  () => ({ do: 'online' }),
  (r) => ({ do: 'reload', tab: tab(r), how: ending(r), isOpen: r.chance(0.7) }),
  (r) => ({ do: 'forget', times: upTo(r, 3) }),
  (r) => ({ do: 'open', browser: r.below(2), isOpen: r.chance(0.7) }),
  (r) => ({ do: 'toggle', tab: tab(r) }),
  (r) => ({ do: 'hide', tab: tab(r), isHidden: r.chance(0.5) }),
  (r) => ({
    do: 'member',
    how: r.pick(['take', 'reply', 'return', 'close']),
    tab: tab(r),
    member: r.below(2),
  }),
  (r) => ({ do: 'typing', tab: tab(r) }),
];

const rarely: Maker[] = [
  (r) => ({ do: 'end', tab: tab(r), how: ending(r) }),
  (r) => ({ do: 'duplicate', tab: tab(r) }),
  (r) => ({ do: 'freeze', tab: tab(r), isTold: r.chance(0.5) }),
  () => ({ do: 'thaw' }),
  (r) => ({ do: 'draft', tab: tab(r) }),
  (r) => ({ do: 'older', tab: tab(r) }),
  (r) => ({ do: 'retry', tab: tab(r) }),
  (r) => ({ do: 'discard', tab: tab(r) }),
  (r) => ({ do: 'restartConversation', tab: tab(r) }),
  (r) => ({ do: 'login', tab: tab(r), user: r.below(2) }),
  (r) => ({ do: 'logout', tab: tab(r) }),
  (r) => ({ do: 'siteForgets', browser: r.below(2) }),
  (r) => ({ do: 'deleteUser', tab: tab(r) }),
  (r) => ({ do: 'deleteConversation', tab: tab(r) }),
  (r) => ({ do: 'edit', tab: tab(r) }),
  (r) => ({ do: 'deleteMessage', tab: tab(r) }),
  (r) => ({ do: 'stop', tab: tab(r) }),
  (r) => ({ do: 'event', tab: tab(r) }),
  (r) => ({ do: 'rate', tab: tab(r) }),
  (r) => ({ do: 'sleep', browser: r.below(2), ms: r.pick([60_000, 3_600_000, 90_000_000]) }),
  (r) => ({ do: 'skew', browser: r.below(2), ms: r.pick([-3_600_000, 3_600_000]) }),
  (r) => ({ do: 'storage', browser: r.below(2), state: r.pick(['full', 'blocked', 'cleared', 'usable']) }),
  (r) => ({ do: 'kill', process: r.below(2) }),
  (r) => ({ do: 'freezeServer', process: r.below(2) }),
  (r) => ({ do: 'relay', fate: r.pick(['lost', 'doubled', 'held']), times: upTo(r, 10) }),
  () => ({ do: 'rest' }),
];

/** Beside the others, where pages are asked for keys. */
const asked: Maker[] = [
  (r) => ({ do: 'login', tab: tab(r), user: r.below(2) }),
  (r) => ({ do: 'name', tab: tab(r), under: r.pick(['slowResponse', 'slowRequest']), isRefused: true }),
  (r) => ({ do: 'name', tab: tab(r), isRefused: r.chance(0.5) }),
];

/** @param length the number of steps; by default 10 to 30 */
export function generate(seed: number, length?: number): Schedule {
  const random = createRandom(seed).fork('schedule');
  const isAsked = random.fork('asked').chance(0.2);
  const steps: Step[] = [{ do: 'open', browser: 0, isOpen: true }];
  const count = length ?? 10 + random.below(21);
  while (steps.length < count) {
    const makers = random.pick([
      often,
      often,
      often,
      often,
      seldom,
      seldom,
      rarely,
      ...(isAsked ? [asked, asked] : []),
    ]);
    steps.push(random.pick(makers)(random));
  }
  return {
    seed,
    processes: random.chance(0.25) ? 2 : 1,
    isPlain: random.chance(0.1) && !isAsked,
    isAsked,
    steps,
  };
}
