// Admin operation on the questions of visitors that the knowledge of a bot does not answer.
import { limits } from '../../../protocol/limits.ts';
import { questions } from '../../../protocol/operations/admin/bots.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import { ApiError } from '../../api/errors.ts';
import { textOfPayload } from '../../api/message-text.ts';
import { cutPage, decodeCursor, isText, isWhole } from '../../api/pages.ts';
import { timestamp } from '../../api/serializers.ts';
import { viewerOf } from '../../auth/principal.ts';
import { findBot } from '../../storage/bots/bots.ts';
import { questionsWithoutPassage } from '../../storage/inbox/reports.ts';
import { handle } from './services.ts';

const isKey = (key: unknown): key is [number, string] =>
  Array.isArray(key) && key.length === 2 && isWhole(key[0]) && isText(key[1]);

/** Characters of a question that are listed. */
const questionLength = 500;

export const questionHandlers = [
  handle(questions.listUnansweredQuestions, async ({ tx, caller, params: { id }, input }) => {
    const bot = await findBot(tx, caller.workspaceId, id);
    if (!bot) throw new ApiError('ResourceNotFound', 'The bot does not exist.');
    if (!isPermitted(caller.kind, 'inbox.read'))
      throw new ApiError(
        'Forbidden',
        'This needs inbox.read, because the questions are texts of conversations.',
      );
    const { nextToken, pageSize = limits.pageSize } = input;
    const before = decodeCursor('questions', nextToken, isKey);
    const found = await questionsWithoutPassage(tx, viewerOf(caller), bot.id, before, pageSize + 1);
    const { rows, meta } = cutPage('questions', found, pageSize, ({ notedAt, messageId }) => [
      notedAt,
      messageId,
    ]);
    const listed = rows.map(({ messageId, conversationId, payload, createdAt }) => ({
      ...{ messageId, conversationId },
      text: [...(payload === null ? '' : textOfPayload(payload))].slice(0, questionLength).join(''),
      askedAt: timestamp(createdAt),
    }));
    return { body: { questions: listed, meta } };
  }),
];
