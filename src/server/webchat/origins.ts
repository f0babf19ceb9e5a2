// The origins of the pages that have lately requested the chat of a bot, in memory: administrators see whether the chat is on their
// page. An origin contains no path and nothing of a visitor.
import type { Broadcasts } from '../jobs/processes.ts';

/** Origins that are kept for each bot, the newest; and bots that have some. */
const maxOrigins = 50;
const maxBots = 10_000;
/** Milliseconds after which a further request of an origin is noted, and told to other processes. */
const noteIntervalMs = 5_000;
const tellIntervalMs = 60_000;
/** Origins that a process tells others in this time at most: headers can contain anything. */
const maxTold = 100;
const maxOriginLength = 300;

export interface SeenOrigin {
  origin: string;
  /** Milliseconds since 1970. */
  seenAt: number;
}

export interface BotOrigins {
  /** Notes the page that has sent a request for the chat of a bot, if the request names it. */
  note(botId: string, headers: Headers): void;
  /** The origins of a bot, those of the newest requests first. */
  list(botId: string): SeenOrigin[];
}

export function createBotOrigins({ everywhere }: Broadcasts, now: () => number): BotOrigins {
  /** By bot; in the order of their last note, like the origins of each bot. */
  const bots = new Map<string, Map<string, number>>();
  const toldAt = new Map<string, number>();
  let told = 0;
  let toldSince = 0;

  function store(botId: string, origin: string, seenAt: number): void {
    const origins = bots.get(botId) ?? new Map<string, number>();
    bots.delete(botId);
    bots.set(botId, origins);
    origins.delete(origin);
    origins.set(origin, seenAt);
    removeOldest(origins, maxOrigins);
    removeOldest(bots, maxBots);
  }
  const tell = everywhere('note the origin of a page', store);

  /** Whether other processes are told, which is counted. */
  function isToldNow(key: string, at: number): boolean {
    if (at - toldSince >= tellIntervalMs) {
      toldSince = at;
      told = 0;
      toldAt.clear();
    }
    if (toldAt.has(key) || told >= maxTold) return false;
    toldAt.set(key, at);
    told += 1;
    return true;
  }

  return {
    note(botId, headers) {
      const origin = originOf(headers.get('origin') ?? headers.get('referer'));
      if (origin === undefined) return;
      const at = now();
      const last = bots.get(botId)?.get(origin);
      if (last !== undefined && at >= last && at - last < noteIntervalMs) return;
      if (isToldNow(`${botId} ${origin}`, at)) tell(botId, origin, at);
      else store(botId, origin, at);
    },
    list: (botId) =>
      [...(bots.get(botId) ?? [])].map(([origin, seenAt]) => ({ origin, seenAt })).toReversed(),
  };
}

function removeOldest(map: Map<string, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}

/** The origin of a page with HTTP; undefined for all other texts, such as `null`. */
function originOf(text: string | null): string | undefined {
  if (text === null || !/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const { origin } = new URL(text);
  return origin.length <= maxOriginLength ? origin : undefined;
}
