// Mentions of colleagues in the text of a note: an at sign and the name. Pure.
import { fold } from '../../../../protocol/locale/folding.ts';
import type { Colleague } from '../api/inbox-api.ts';

/** A part of a text that mentions colleagues: more than one if they have the same name. */
export interface Mention {
  /** From its at sign to the end of the name. */
  from: number;
  to: number;
  memberIds: string[];
}

/** Colleagues that are offered at once. */
const maxOffered = 6;
/** Characters after the at sign that are still read as the beginning of a name. */
const maxQuery = 40;

/** Letters of scripts that have no spaces between words, so that a name can stand next to one. */
const unspaced =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]';
const dense = new RegExp(unspaced, 'u');
/** A character of a word; also a mark, such as a vowel of Hindi, but not the one that makes a symbol an emoji. */
const word = `(?!${unspaced}|\\ufe0f)[\\p{L}\\p{M}\\p{N}_]`;
const [wordBefore, wordAfter] = [new RegExp(`${word}$`, 'u'), new RegExp(`^${word}`, 'u')];
// Two units, because a character can have two.
const isInWord = (text: string, at: number): boolean => wordBefore.test(text.slice(Math.max(0, at - 2), at));
const continues = (text: string, at: number): boolean => wordAfter.test(text.slice(at, at + 2));
/** In the same length for most texts: a mention has a place in the text. */
const lower = (text: string): string => text.toLocaleLowerCase('en');
/** An at sign within a word is one of an e-mail address. */
const isStart = (text: string, at: number): boolean => text[at] === '@' && !isInWord(text, at);

/** The mentions of a text, in its order. If one name begins with another, the longer one counts. */
export function findMentions(text: string, colleagues: readonly Colleague[]): Mention[] {
  const mentions: Mention[] = [];
  const folded = lower(text);
  // Where lower case has another length, positions would not be those of the text.
  const isComparable = folded.length === text.length;
  const names = [...colleagues].sort((a, b) => b.name.length - a.name.length);
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (!isStart(text, at)) continue;
    const isHere = ({ name }: Colleague) =>
      name !== '' &&
      (isComparable ? folded.startsWith(lower(name), at + 1) : text.startsWith(name, at + 1)) &&
      !continues(text, at + 1 + name.length);
    const longest = names.find(isHere);
    if (!longest) continue;
    const to = at + 1 + longest.name.length;
    const same = names.filter(({ name }) => lower(name) === lower(longest.name));
    mentions.push({ from: at, to, memberIds: same.map(({ memberId }) => memberId) });
    at = to - 1;
  }
  return mentions;
}

/**
 * The ids of the members whom a text mentions. If several have the same name, it is the one that the user has chosen there; for a
 * name that was typed, those who were mentioned `before`, or all of them.
 */
export function mentionedIn(
  text: string,
  colleagues: readonly Colleague[],
  { chosen = [], before = [] }: { chosen?: readonly Chosen[]; before?: readonly string[] } = {},
): string[] {
  const mentionedIds = findMentions(text, colleagues).flatMap(({ from, memberIds }) => {
    const inserted = chosen.find((name) => name.from === from && memberIds.includes(name.memberId));
    if (inserted) return [inserted.memberId];
    const alreadyMentioned = memberIds.filter((id) => before.includes(id));
    return alreadyMentioned.length > 0 ? alreadyMentioned : memberIds;
  });
  return [...new Set(mentionedIds)];
}

/**
 * The ids of the members whom the changed text of a note mentions. A member whose present name was not in the text, because of
 * another name or role, stays mentioned as long as the text contains a name that no member has.
 */
export function mentionedAfter(
  text: string,
  colleagues: readonly Colleague[],
  note: { body: string; mentions?: readonly string[] },
  chosen: readonly Chosen[] = [],
): string[] {
  const { body, mentions: before = [] } = note;
  const named = mentionedIn(body, colleagues);
  const nameless = hasUnknownName(text, colleagues) ? before.filter((id) => !named.includes(id)) : [];
  return [...new Set([...mentionedIn(text, colleagues, { chosen, before }), ...nameless])];
}

/** Whether a name that is none of a colleague follows an at sign. */
function hasUnknownName(text: string, colleagues: readonly Colleague[]): boolean {
  const mentionStarts = new Set(findMentions(text, colleagues).map(({ from }) => from));
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1))
    if (isStart(text, at) && !mentionStarts.has(at) && /^[^\s@]/.test(text.slice(at + 1))) return true;
  return false;
}

/** The name that is being typed before the caret: where its at sign is, and its beginning. */
export function typedName(text: string, caret: number): { from: number; query: string } | undefined {
  const from = text.lastIndexOf('@', caret - 1);
  if (from < 0 || !isStart(text, from)) return undefined;
  const query = text.slice(from + 1, caret);
  if (query.length > maxQuery || /[\n@]/.test(query) || query.startsWith(' ')) return undefined;
  return { from, query };
}

/** The colleagues whose name, or a word of it, begins so; in scripts without spaces those whose name has it. */
export function offeredFor(query: string, colleagues: readonly Colleague[]): Colleague[] {
  const wanted = fold(query);
  const matches = ({ name }: Colleague) => {
    const whole = fold(name);
    if (dense.test(wanted)) return whole.includes(wanted);
    return whole.startsWith(wanted) || whole.split(/[\s.@-]+/).some((word) => word.startsWith(wanted));
  };
  return colleagues.filter(matches).slice(0, maxOffered);
}

/** A name in a text, from its at sign to its end, and the member it was inserted for: two members can have the same name. */
export interface Chosen {
  from: number;
  to: number;
  memberId: string;
}

/**
 * Where the chosen names are after a text has changed; those that were changed themselves are left out. `caret`: where the change
 * ended, which tells two equal names apart.
 */
export function moveChosen(
  chosen: readonly Chosen[],
  before: string,
  after: string,
  caret = after.length,
): Chosen[] {
  // Text after the caret was there before.
  const most = Math.min(after.length - caret, before.length);
  let commonEnd = 0;
  while (commonEnd < most && before.at(-1 - commonEnd) === after.at(-1 - commonEnd)) commonEnd += 1;
  const limit = Math.min(before.length, after.length) - commonEnd;
  let start = 0;
  while (start < limit && before[start] === after[start]) start += 1;
  const end = before.length - commonEnd;
  const step = after.length - before.length;
  return chosen.flatMap((name) => {
    if (name.to <= start) return [name];
    return name.from >= end ? [{ ...name, from: name.from + step, to: name.to + step }] : [];
  });
}
