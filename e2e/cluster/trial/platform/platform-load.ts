// Load of a trial beyond the chat: a bot behind a webhook, tables and indexed files, with the clients that integrators use.
import { randomUUID } from 'node:crypto';
import { AdminClient, Client } from '../../../../src/client/index.ts';
import type { Random } from '../../../support/random.ts';
import { retry } from '../retry.ts';
import { startIndexedFilesLoad } from './indexed-files.ts';
import { indexFaults, listenerFaults, tableFaults, webhookFaults } from './invariants.ts';
import { startTableLoad } from './tables.ts';
import { startWebhookLoad } from './webhooks.ts';

export interface PlatformLoadOptions {
  url: string;
  workspaceId: string;
  token: string;
  random: Random;
  /** Conversations with the bot behind a webhook. */
  conversations: number;
  /** Whether the database was replaced. */
  mayLoseStreams(): boolean;
}

export interface PlatformLoad {
  /** Stops when everything that was accepted is done. */
  finish(): Promise<void>;
  /** Every broken invariant, one line each. */
  faults(): string[];
  figures(): Record<string, number>;
  close(): Promise<void>;
}

const listenersPerConversation = 3;

export async function startPlatformLoad(options: PlatformLoadOptions): Promise<PlatformLoad> {
  const { url, workspaceId, token, random, conversations, mayLoseStreams } = options;
  const admin = new AdminClient({ apiUrl: url, workspaceId, token, retry: 0 });
  const key = () => ({ idempotencyKey: randomUUID() });

  async function createBot(webhookUrl: string | undefined) {
    const [creating, issuing] = [key(), key()];
    const webhookId = randomUUID();
    const { bot } = await retry(() =>
      admin.createBot(
        { name: `Trial ${webhookId}`, webhookId, ...(webhookUrl === undefined ? {} : { webhookUrl }) },
        creating,
      ),
    );
    const { bot: details } = await retry(() => admin.getBot({ id: bot.id }));
    const { value } = await retry(() =>
      admin.createToken({ name: 'Trial', kind: 'bot', botId: bot.id }, issuing),
    );
    return { id: bot.id, webhookId, secret: details.signingSecret ?? '', token: value };
  }

  const webhooks = await startWebhookLoad({
    url,
    random,
    conversations,
    listenersPerConversation,
    mayLoseStreams,
    createBot,
  });
  const owner = await createBot(undefined);
  const client = new Client({ apiUrl: url, botId: owner.id, token: owner.token, retry: 0 });
  const tables = await startTableLoad(client);
  const files = startIndexedFilesLoad(client);

  return {
    async finish() {
      await Promise.all([webhooks.finish(), tables.finish(), files.finish()]);
    },
    faults() {
      const { sent, receipts, botMessages, listeners } = webhooks.record;
      return [
        ...webhookFaults(sent, receipts),
        ...[...listeners].flatMap(([id, here]) =>
          listenerFaults(
            botMessages.filter(({ conversationId }) => conversationId === id),
            here,
          ),
        ),
        ...tableFaults(tables.record),
        ...indexFaults(files.files),
      ];
    },
    figures() {
      const { receipts, botMessages, listeners } = webhooks.record;
      return {
        webhooks: new Set(receipts.map(({ eventId }) => eventId)).size,
        webhookAttempts: receipts.length,
        proactiveMessages: botMessages.filter(({ streamId }) => streamId === undefined).length,
        streamedAnswers: botMessages.filter(({ streamId }) => streamId !== undefined).length,
        lostStreams: webhooks.record.lostStreams,
        typingStarts: [...listeners.values()].flat().reduce((sum, { typingStarts }) => sum + typingStarts, 0),
        tableRows: tables.record.rows.length,
        tableJobs: tables.record.jobs.length,
        indexedFiles: files.files.length,
      };
    },
    close: webhooks.close,
  };
}
