// The invariants of a chat, whatever has happened to its network, its browsers and its server. Pure functions over plain data: the
// simulation and the trial of a cluster (e2e/cluster) collect it and report what each function returns: one line for each fault,
// which begins with the name of the invariant.

/** A message that somebody has written. */
export interface Sent {
  text: string;
  /** The page or program whose messages have one order. */
  author: string;
  /** The server has said that it is stored. */
  isAcknowledged: boolean;
  /** The writer or another person has given it up. */
  mayBeMissing: boolean;
  /** It may be stored in two conversations. */
  mayBeRepeated?: boolean;
}

/** A message as the server has it. */
export interface Stored {
  id: string;
  conversationId: string;
  userId: string;
  isBot: boolean;
  text: string;
  /** Its number in the conversation. */
  seq: number;
  /** Of a bot's message: the event that it answers. */
  eventId?: string | undefined;
  /** The id of the message that has taken its place. */
  supersededBy?: string | undefined;
}

/** A message in a window. */
export interface Shown {
  id: string;
  text: string;
}

const countOf = (items: readonly string[], searched: string): number =>
  items.filter((item) => item === searched).length;

/** An acknowledged message is stored once; one that was not is stored or kept by its writer, and never stored twice. */
export function storageFaults(
  sent: readonly Sent[],
  stored: readonly Stored[],
  /** The texts that writers still have. */
  writersTexts: readonly string[],
): string[] {
  const texts = stored.map(({ text }) => text);
  return sent.flatMap(({ text, isAcknowledged, mayBeMissing, mayBeRepeated }) => {
    const count = countOf(texts, text);
    if (count > 1 && !mayBeRepeated) return [`stored once: “${text}” is stored ${count} times`];
    if (count > 0 || mayBeMissing) return [];
    if (isAcknowledged) return [`stored once: “${text}” was acknowledged and is not stored`];
    return writersTexts.includes(text) ? [] : [`nothing is lost: “${text}” is neither stored nor kept`];
  });
}

/** Messages of one author are stored in the order in which they were written. */
export function orderFaults(sent: readonly Sent[], stored: readonly Stored[]): string[] {
  const authors = new Set(sent.map(({ author }) => author));
  const conversations = new Set(stored.map(({ conversationId }) => conversationId));
  const faults: string[] = [];
  for (const author of authors) {
    const written = sent.filter((one) => one.author === author).map(({ text }) => text);
    for (const id of conversations) {
      const here = stored
        .filter(({ conversationId, text }) => conversationId === id && written.includes(text))
        .sort((a, b) => a.seq - b.seq)
        .map(({ text }) => text);
      const expected = written.filter((text) => here.includes(text));
      if (here.length === expected.length && here.join('\n') !== expected.join('\n'))
        faults.push(`order: ${author} wrote “${expected.join('”, “')}”, stored are “${here.join('”, “')}”`);
    }
  }
  return faults;
}

/** A window shows the messages of the server, in their order. `isPartial`: older pages were not asked for. */
export function screenFaults(
  name: string,
  shown: readonly Shown[],
  history: readonly Shown[],
  isPartial = false,
): string[] {
  const expected = isPartial ? history.slice(-Math.max(shown.length, 1)) : history;
  const line = (items: readonly Shown[]) => items.map(({ id, text }) => `${id} ${text}`);
  const [shownLine, right] = [line(shown), line(expected)];
  const at = right.findIndex((item, n) => shownLine[n] !== item);
  if (at < 0 && shownLine.length === right.length) return [];
  const first = at < 0 ? right.length : at;
  return [
    `screen: ${name} shows ${shownLine.length} of ${right.length} messages, and differs at ${first}: ` +
      `“${shownLine[first] ?? ''}” instead of “${right[first] ?? ''}”`,
  ];
}

/** Nothing of one visitor reaches another. `texts`: what reached one; `foreign`: whether a text is of another. */
export const privacyFaults = (
  name: string,
  texts: readonly string[],
  isForeign: (text: string) => boolean,
): string[] => texts.filter(isForeign).map((text) => `privacy: “${text}” has reached ${name}`);

/** All windows of a browser show the visitor and the conversation of its record. */
export const visitorFaults = (
  name: string,
  shown: { userId: string | undefined; conversationId: string | undefined },
  stored: { userId?: string | undefined; conversationId?: string | undefined },
): string[] =>
  shown.userId === stored.userId && shown.conversationId === stored.conversationId
    ? []
    : [
        `visitor: ${name} shows ${shown.conversationId} of ${shown.userId}, and its browser knows ${stored.conversationId} of ${stored.userId}`,
      ];

/** A run of the code of a bot. */
export interface Handled {
  eventId: string;
  conversationId: string;
  messageId?: string | undefined;
}

/** A bot handles each message of a visitor at least once, and the first times in their order. */
export function handlingFaults(stored: readonly Stored[], handled: readonly Handled[]): string[] {
  const faults: string[] = [];
  const byId = new Map(stored.map((message) => [message.id, message]));
  const reached = new Map<string, number>();
  const began = new Set<string>();
  for (const { messageId, conversationId } of handled) {
    const message = messageId === undefined ? undefined : byId.get(messageId);
    if (!message || began.has(message.id)) continue;
    began.add(message.id);
    const last = reached.get(conversationId) ?? -1;
    if (message.seq < last) faults.push(`bot, order: “${message.text}” was handled after a later message`);
    reached.set(conversationId, Math.max(last, message.seq));
  }
  return faults;
}

/** Each of these messages was handled. */
export const unhandledFaults = (expected: readonly Stored[], handled: readonly Handled[]): string[] => {
  const ids = new Set(handled.map(({ messageId }) => messageId));
  return expected
    .filter(({ id }) => !ids.has(id))
    .map(({ text }) => `bot, at least once: “${text}” was never handled`);
};

/** A bot says the same in answer to an event once. */
export function answerFaults(stored: readonly Stored[]): string[] {
  const answers = stored.flatMap(({ eventId, text }) =>
    eventId === undefined ? [] : [`${eventId} “${text}”`],
  );
  return [...new Set(answers)]
    .filter((answer) => countOf(answers, answer) > 1)
    .map((answer) => `bot, answers once: ${answer} is stored ${countOf(answers, answer)} times`);
}

/** A message whose place a later one has taken is not answered after that. */
export function supersededFaults(stored: readonly Stored[], handled: readonly Handled[]): string[] {
  const byId = new Map(stored.map((message) => [message.id, message]));
  const askedBy = new Map(handled.map(({ eventId, messageId }) => [eventId, byId.get(messageId ?? '')]));
  return stored.flatMap(({ isBot, eventId, seq, text }) => {
    const asked = isBot ? askedBy.get(eventId ?? '') : undefined;
    const later = byId.get(asked?.supersededBy ?? '');
    return later && seq > later.seq ? [`superseded: “${text}” was stored after “${later.text}”`] : [];
  });
}

/** Each of these messages has its answer, however often the bot was ended. */
export function unansweredFaults(expected: readonly Stored[], stored: readonly Stored[]): string[] {
  const said = new Set(stored.filter(({ isBot }) => isBot).map((one) => `${one.conversationId} ${one.text}`));
  return expected
    .filter(({ conversationId, text }) => !said.has(`${conversationId} answer to ${text}`))
    .map(({ text }) => `bot, answers: “${text}” was handled, and has no answer`);
}

/** The state that the bot has kept of a conversation is that of the last event: no earlier run has written it later. */
export function stateFaults(
  states: readonly { conversationId: string; text: string }[],
  expected: ReadonlyMap<string, string>,
): string[] {
  return states.flatMap(({ conversationId, text }) => {
    const last = expected.get(conversationId);
    return last === undefined || last === text
      ? []
      : [`bot, state: in ${conversationId} it is “${text}” instead of “${last}”`];
  });
}

/** A change of who answers a conversation, from a number on. */
export interface HandlingChange {
  conversationId: string;
  seq: number;
  state: string;
}

/** While a person is asked for or answers, the bot is silent. `isAllowed`: what the visitor had read before. */
export function silenceFaults<Message extends Stored>(
  stored: readonly Message[],
  changes: readonly HandlingChange[],
  isAllowed: (message: Message) => boolean,
): string[] {
  return stored
    .filter((message) => message.isBot && !isAllowed(message))
    .flatMap(({ conversationId, seq, text }) => {
      const last = changes.findLast((one) => one.conversationId === conversationId && one.seq < seq);
      return last === undefined || last.state === 'bot' || last.state === 'closed'
        ? []
        : [`person: the bot said “${text}” while the conversation was ${last.state}`];
    });
}

/**
 * The numbers of everything in a conversation follow each other, each once. `removed`: how many of each conversation are gone, with
 * messages that were deleted.
 */
export function sequenceFaults(
  entries: readonly { conversationId: string; seq: number }[],
  removed: ReadonlyMap<string, number> = new Map(),
): string[] {
  const conversations = new Map<string, number[]>();
  for (const { conversationId, seq } of entries)
    conversations.set(conversationId, [...(conversations.get(conversationId) ?? []), seq]);
  return [...conversations].flatMap(([id, here]) => {
    const numbers = here.sort((a, b) => a - b);
    let remaining = removed.get(id) ?? 0;
    const at = numbers.findIndex((seq, n) => {
      const missing = n === 0 ? 0 : seq - (numbers[n - 1] ?? 0) - 1;
      remaining -= missing;
      return missing < 0 || remaining < 0;
    });
    return at < 0 ? [] : [`numbers: in ${id}, ${numbers[at]} follows ${numbers[at - 1]}`];
  });
}

/** The number of events that no bot will handle any more and that are not finished. */
export const unfinishedFaults = (rows: readonly { state: string; count: number }[]): string[] =>
  rows.map(({ state, count }) => `bot, finished: ${count} events are ${state} at the end`);

/** Of a page whose chat has ended nothing is left. */
export const leakFaults = (name: string, resources: readonly string[]): string[] =>
  resources.map((what) => `leak: ${name} still has ${what}`);
