// Groups messages that the bot did not answer into questions: messages with the same words are one question. Pure.
import { type ReportQuestion, reportQuestions } from '../../../protocol/inbox.ts';
import { limits } from '../../../protocol/limits.ts';
import { wordsOf } from '../../../protocol/locale/word-splitting.ts';
import type { UnansweredRow } from '../../storage/inbox/reports.ts';

interface Group {
  conversationIds: Set<string>;
  /** The newest message. */
  last: UnansweredRow;
  text: string;
}

/**
 * The questions that were asked in several conversations, most frequent first. A visitor who repeats a question in one
 * conversation asks once.
 */
export function questionsOf(rows: readonly UnansweredRow[]): ReportQuestion[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const text = textOf(row);
    const key = keyOf(text);
    if (key === '') continue;
    const group = groups.get(key);
    if (!group) groups.set(key, { conversationIds: new Set([row.conversationId]), last: row, text });
    else {
      group.conversationIds.add(row.conversationId);
      if (row.createdAt > group.last.createdAt) Object.assign(group, { last: row, text });
    }
  }
  return [...groups.values()]
    .map(({ conversationIds, last, text }) => ({ conversationIds, last, text, count: conversationIds.size }))
    .filter(({ count }) => count >= reportQuestions.from)
    .sort((a, b) => b.count - a.count || b.last.createdAt - a.last.createdAt)
    .slice(0, reportQuestions.most)
    .map(({ text, count, last }) => ({ text, count, conversationId: last.conversationId }));
}

/** The message in one line; '' if it does not have a text, such as a picture. */
function textOf({ payload }: UnansweredRow): string {
  const content = JSON.parse(payload) as { text?: unknown };
  const text = typeof content.text === 'string' ? content.text.replace(/\s+/g, ' ').trim() : '';
  return [...text].slice(0, limits.inbox.preview).join('');
}

/** The set of words, without case and accents. */
const keyOf = (text: string): string => [...new Set(wordsOf(text))].sort().join(' ');
