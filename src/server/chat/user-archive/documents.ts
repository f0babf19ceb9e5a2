// The documents of a conversation in the archive of a user: JSON for programs, Markdown for people. Both are produced in
// pieces, because a conversation can be larger than the memory.
import { type Message, preview } from '../../../protocol/message.ts';
import { serializeMessage, timestamp } from '../../api/serializers.ts';
import { nextTurn } from '../../api/yielder.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { ownedToExport } from '../../storage/chat/exports.ts';
import type { UserRow } from '../../storage/chat/users.ts';
import type { Database } from '../../storage/database.ts';
import { publicId } from '../../storage/ids.ts';
import { listActivities } from '../../storage/inbox/handoffs.ts';
import { batchBytes, isCut } from '../../storage/read-bytes.ts';
import { activitiesOf } from '../handling/visible.ts';
import { serializeConversation } from '../serializers.ts';

/** Rows of one read. */
const batchSize = 20;

interface Source {
  db: Pick<Database, 'read'>;
  /** The owner of the conversation. */
  user: UserRow;
  conversation: ConversationRow;
}

/** A JSON list of values, of which only one is in memory at a time. */
export async function* list(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let isFirst = true;
  yield '[';
  for await (const value of values) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(value)}`;
    isFirst = false;
  }
  yield '\n]\n';
}

/** The conversation, its messages, and what visitors see of the work on it. */
export async function* conversationJson(source: Source): AsyncGenerator<string> {
  yield `{"conversation":${JSON.stringify(serializeConversation(source.conversation))},\n"messages":`;
  yield* list(messagesOf(source));
  yield ',"activities":';
  yield* list(activitiesIn(source));
  yield '}\n';
}

/**
 * The texts with who wrote them and when. Each line is quoted, so that a text cannot look like another message. Nothing is
 * loaded when it is shown.
 */
export async function* conversationMarkdown(source: Source): AsyncGenerator<string> {
  const { conversation, user } = source;
  yield `# Conversation ${conversation.id}\n\nBegan ${timestamp(conversation.createdAt)}.\n`;
  const visitor = publicId(user);
  for await (const message of messagesOf(source)) {
    const text = inert(preview(message.payload))
      .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
      .map((line) => `> ${line}`)
      .join('\n');
    yield `\n**${writerOf(message, visitor)}**, ${message.createdAt}\n\n${text}\n`;
  }
}

function writerOf({ userId, author }: Message, visitor: string): string {
  if (author?.kind === 'person') return `Person (${inert(oneLine(author.name ?? ''))})`;
  return userId === visitor ? 'Visitor' : author?.kind === 'bot' ? 'Assistant' : 'Participant';
}

/**
 * Markdown without pictures and HTML, which programs would load from where a visitor says. References, because a backslash can
 * be preceded by another one.
 */
const inert = (text: string): string =>
  text.replace(/<|!(?=\[)/g, (mark) => (mark === '<' ? '&lt;' : '&#33;'));

const oneLine = (text: string): string => text.replace(/[\s*_`]+/g, ' ').trim();

async function* messagesOf({ db, user, conversation }: Source): AsyncGenerator<Message> {
  for (let seq = -1; ; ) {
    const after = seq;
    const rows = await db.read((tx) =>
      ownedToExport(tx, 'messages', user.id, [conversation.id, after], batchSize, batchBytes),
    );
    for (const row of rows) {
      // The rows of the next conversation follow.
      if (row.conversationId !== conversation.id) return;
      yield serializeMessage(row, publicId(conversation));
      seq = row.seq;
    }
    if (rows.length < batchSize && !isCut(rows, batchBytes)) return;
    await nextTurn();
  }
}

async function* activitiesIn({ db, conversation }: Source): AsyncGenerator<unknown> {
  for (let before: number | undefined; ; ) {
    const from = before;
    const rows = await db.read((tx) =>
      listActivities(tx, conversation.id, { before: from, limit: batchSize }),
    );
    for (const row of rows) yield* activitiesOf(row);
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    before = last.seq;
  }
}
