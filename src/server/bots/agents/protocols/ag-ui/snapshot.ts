// Reads MESSAGES_SNAPSHOT: only what the events of the run have not said already. Servers may give a message another id there than in
// its stream, split it in another way, and leave out results of tools from the stream.
import type { AgentRun } from '../../protocol.ts';
import { createAnswerTexts } from '../shared/answer-texts.ts';
import type { Emit } from '../shared/event-reader.ts';
import { idOf, type JsonObject, objectOf, objectsOf, textOf } from '../shared/values.ts';
import { contentText, type RunMessages } from './saved-run.ts';

/** A message of the agent that the run has not streamed. */
export interface UnseenText {
  id: string;
  /** All of its text, or the rest of one that was streamed in part. */
  text: string;
}

export interface SnapshotResult {
  messageId: string;
  toolCallId: string;
  content: string;
  hasFailed: boolean;
}

interface SnapshotCall {
  id: string;
  name: unknown;
  input: string;
}

export interface Snapshot {
  texts: UnseenText[];
  results: SnapshotResult[];
  calls: SnapshotCall[];
  /** Whether the message that the run answers is in it, as far as it can be told. */
  hasMessage: boolean;
}

/** A text that visitors have. */
export interface ShownText {
  id: string;
  text: string;
  /** The text without white space. */
  plain: string;
}

/** The texts of a turn, in their order. */
export interface ShownTexts {
  /** A piece of a message. `isNew`: another message begins, also if its id is known. */
  add(id: string, text: string, isNew?: boolean): void;
  readonly all: readonly ShownText[];
}

/** Messages of a turn that are compared with snapshots, and characters of all of them. */
const maxShown = 200;
const maxShownCharacters = 500_000;

export function createShownTexts(): ShownTexts {
  const all: ShownText[] = [];
  const byId = new Map<string, ShownText>();
  let characters = 0;
  return {
    add(id, text, isNew = false) {
      characters += text.length;
      if (characters > maxShownCharacters) return;
      const existing = isNew ? undefined : byId.get(id);
      if (existing) {
        existing.text += text;
        existing.plain += plainText(text);
      } else if (all.length < maxShown) {
        const added = { id, text, plain: plainText(text) };
        all.push(added);
        byId.set(id, added);
      }
    },
    all,
  };
}

/** `shown`: the texts of this turn, in their order, those of earlier runs of the turn included. */
export function readSnapshot(messages: unknown, run: AgentRun, shown: readonly ShownText[]): Snapshot {
  const all = objectsOf(messages).filter(({ subagentRunId }) => subagentRunId === undefined);
  const last = all.findLastIndex(({ role }) => role === 'user');
  const ofTurn = all.slice(last + 1);
  return {
    texts: unseenTexts(ofTurn, run, shown, last < 0),
    results: ofTurn.flatMap(resultOf),
    calls: ofTurn.flatMap(callsOf),
    hasMessage: hasMessage(all, run),
  };
}

function hasMessage(all: readonly JsonObject[], { history }: AgentRun): boolean {
  const answered = history.at(-1);
  const users = all.filter(({ role }) => role === 'user');
  if (!answered || users.length === 0) return true;
  return users.some(
    ({ id, content }) => id === answered.id || contentText(content)?.trim() === answered.text.trim(),
  );
}

function unseenTexts(
  ofTurn: readonly JsonObject[],
  { history }: AgentRun,
  shown: readonly ShownText[],
  isWithoutUser: boolean,
): UnseenText[] {
  const asked = new Set(history.map(({ id }) => id));
  const byId = new Map<string, string>();
  for (const { id, text } of shown) byId.set(id, (byId.get(id) ?? '') + text);
  const earlier = isWithoutUser ? history.filter(({ role }) => role === 'assistant') : [];
  const seen = seenTexts(shown.map((one) => one.plain));
  return ofTurn.slice(0, maxShown).flatMap((message): UnseenText[] => {
    const id = idOf(message.id);
    const text = message.role === 'assistant' ? contentText(message.content) : undefined;
    if (id === undefined || text === undefined || text.trim() === '' || asked.has(id)) return [];
    const streamed = byId.get(id);
    // The stream of a message can end early.
    if (streamed !== undefined)
      return text.startsWith(streamed) ? [{ id, text: text.slice(streamed.length) }] : [];
    const isEarlier = earlier.some((one) => plainText(one.text).includes(plainText(text)));
    return isEarlier || seen.has(text) ? [] : [{ id, text }];
  });
}

/** Tells whether a text was shown, as one message or as several that follow each other. Each counts once. */
function seenTexts(texts: readonly string[]) {
  const remaining = texts.filter((text) => text !== '');
  return {
    has(text: string): boolean {
      const wanted = plainText(text);
      for (let begin = 0; begin < remaining.length; begin += 1) {
        let length = 0;
        for (let end = begin; end < remaining.length; end += 1) {
          const piece = remaining[end] ?? '';
          if (!wanted.startsWith(piece, length)) break;
          length += piece.length;
          if (length < wanted.length) continue;
          remaining.splice(begin, end - begin + 1);
          return true;
        }
      }
      return false;
    },
  };
}

/** A text without white space, which servers trim and join differently. */
const plainText = (text: string): string => text.replace(/\s+/g, '');

function resultOf(message: JsonObject): SnapshotResult[] {
  const toolCallId = idOf(message.toolCallId);
  const content = contentText(message.content);
  if (message.role !== 'tool' || toolCallId === undefined || content === undefined) return [];
  const hasFailed = message.error !== undefined && message.error !== null && message.error !== '';
  return [{ messageId: idOf(message.id) ?? `result:${toolCallId}`, toolCallId, content, hasFailed }];
}

const callsOf = ({ role, toolCalls }: JsonObject): SnapshotCall[] =>
  role !== 'assistant'
    ? []
    : objectsOf(toolCalls).flatMap(({ id, function: made }) => {
        const { name, arguments: input } = objectOf(made) ?? {};
        const validId = idOf(id);
        return validId === undefined ? [] : [{ id: validId, name, input: textOf(input) ?? '' }];
      });

/** The texts of the agent's own messages in one turn. */
export interface OwnTexts {
  /** A piece of a message. `isRest`: of one that may have ended; otherwise text after its end is another message of the same id. */
  write(id: string | undefined, delta: unknown, emit: Emit, isRest?: boolean): void;
  /** The message has ended. */
  close(id: string, emit: Emit): void;
  closeAll(emit: Emit): void;
  /** Whether this run has written something that can be read. */
  readonly isAnswered: boolean;
  /** The texts of this run, in their order. */
  ofRun(): readonly ShownText[];
  /** The texts of the turn, in their order. */
  readonly shown: readonly ShownText[];
}

/** `earlier`: the messages of earlier runs of the turn. */
export function createOwnTexts(earlier: readonly JsonObject[], messages: RunMessages): OwnTexts {
  const texts = createAnswerTexts();
  const shown = createShownTexts();
  /** Messages that have ended, and how often their ids were used again. */
  const ended = new Set<string>();
  const uses = new Map<string, number>();
  let isAnswered = false;
  for (const { id, role, content } of earlier)
    if (role === 'assistant') shown.add(idOf(id) ?? '', contentText(content) ?? '');
  const firstOfRun = shown.all.length;
  const keyOf = (id: string): string => (uses.has(id) ? `${id} ${uses.get(id)}` : id);

  return {
    write(id, delta, emit, isRest = false) {
      const text = textOf(delta);
      if (id === undefined || text === undefined || text === '') return;
      isAnswered ||= text.trim() !== '';
      const isReused = ended.delete(id) && !isRest;
      if (isReused) {
        uses.set(id, (uses.get(id) ?? 0) + 1);
        messages.text(id, '\n\n');
      }
      messages.text(id, text);
      shown.add(id, text, isReused);
      texts.write(keyOf(id), text, emit);
    },
    close(id, emit) {
      texts.close(keyOf(id), emit);
      if (texts.has(keyOf(id))) ended.add(id);
    },
    closeAll: texts.closeAll,
    get isAnswered() {
      return isAnswered;
    },
    ofRun: () => shown.all.slice(firstOfRun).filter(({ text }) => text.trim() !== ''),
    shown: shown.all,
  };
}
