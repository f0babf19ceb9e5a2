// Alerts: what the operations need of them, and their worker.
import type { AlertProblem } from '../../../protocol/types/inbox.ts';
import type { Addresses } from '../../bots/index.ts';
import type { Processes } from '../../jobs/processes.ts';
import { createMailer, type MailOptions } from '../../notifications/mailer.ts';
import type { PushService } from '../../notifications/push-sender.ts';
import { setAlertProblem, teamAlerts } from '../../storage/inbox/alerts.ts';
import { createAlertHook } from './alert-hook.ts';
import { testMessage } from './alert-texts.ts';
import { type AlertWorkerOptions, createAlertWorker } from './alert-worker.ts';

export interface AlertService {
  /** Whether the server sends mails. */
  hasMail: boolean;
  /** The key and the hosts of Web Push, if the server sends pushes. */
  push: PushService | undefined;
  /** Throws InvalidPayload for an address of a chat tool that messages are not sent to. */
  assertUrl(workspaceId: string, url: string): void;
  /** Sends a test message to the chat tool of a workspace, if it has one, and stores why it failed. */
  test(workspaceId: string): Promise<{ isSent: boolean; problem?: AlertProblem }>;
}

export interface Alerts {
  service: AlertService;
  /** Looks for waiting visitors now, and not only when the next is due. */
  look(): void;
  close(): Promise<void>;
}

export interface AlertOptions extends Omit<AlertWorkerOptions, 'mailer' | 'hook'> {
  processes: Pick<Processes, 'assign'>;
  mail: MailOptions | undefined;
  addressesOf(workspaceId: string): Addresses;
}

/** Begins to tell members of waiting visitors with the start of `processes`. */
export function createAlerts({ processes, mail, addressesOf, ...options }: AlertOptions): Alerts {
  const { db, sender, address, logger, now } = options;
  const mailer = mail && createMailer(mail, logger);
  const hook = createAlertHook(addressesOf, now);
  const role = processes.assign('alert members', (workerDb) =>
    createAlertWorker({ ...options, db: workerDb, mailer, hook }),
  );
  const closing = new AbortController();
  return {
    service: {
      hasMail: mail !== undefined,
      push: sender?.service,
      assertUrl: hook.assertUrl,
      async test(workspaceId) {
        const { url } = await db.read((tx) => teamAlerts(tx, workspaceId));
        if (url === null) return { isSent: false };
        const body = testMessage(address());
        const { problem } = await hook.send({ workspaceId, url, body, signal: closing.signal });
        await db.write((tx) => setAlertProblem(tx, workspaceId, url, problem));
        return { isSent: problem === undefined, ...(problem && { problem }) };
      },
    },
    look: () => role.worker?.wake?.(false),
    async close() {
      closing.abort();
      await mailer?.close();
    },
  };
}
