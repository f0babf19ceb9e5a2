// An inbox for tests of alerts: with a mail server, a push service and a chat tool that keep what they get, and a clock of its own.
import { expect } from 'vitest';
import { accept, type Receiver, startReceiver } from '../../bots/webhooks/testing.ts';
import { openPushPeer, type TestBrowser } from '../../notifications/push-service.testing.ts';
import { openMailCatcher } from '../../notifications/testing.ts';
import { setSeen } from '../../storage/inbox/members.ts';
import { pollOptions } from '../../testing.ts';
import { startInbox } from '../testing.ts';

const second = 1_000;
export const minute = 60 * second;
export const publicUrl = 'https://chat.example.com';

/** A message that a chat tool has got. */
export interface ToolMessage {
  text: string;
  content: string;
  type: string;
  conversationId?: string;
  url?: string;
  visitor?: string;
  waitingSince?: string;
}

/** Functions that run after a test, the last first. */
export type Closing = (() => Promise<void>)[];

export async function startAlerts(
  closing: Closing,
  options: Parameters<typeof startInbox>[1] = {},
  serverCount = 1,
) {
  let publicKey = '';
  const clock = { now: Date.UTC(2026, 0, 5, 12) };
  const catcher = await openMailCatcher();
  closing.push(() => catcher.close());
  const peer = await openPushPeer(() => publicKey);
  closing.push(() => peer.close());
  const tool: Receiver = await startReceiver(accept);
  closing.push(() => tool.close());
  const given: Parameters<typeof startInbox>[1] = {
    SMTP_URL: catcher.url,
    MAIL_FROM: 'Support <support@example.com>',
    PUSH_CONTACT: 'mailto:help@example.com',
    PUSH_HOSTS: [peer.host],
    PUBLIC_URL: publicUrl,
    WEBHOOK_PRIVATE: 'allow',
    now: () => clock.now,
    ...options,
  };
  const inbox = await startInbox(() => {}, given, serverCount);
  closing.push(() => inbox.close());
  // Only members of the test are told.
  await inbox.server.db.write((tx) => tx.run("UPDATE members SET role = 'viewer' WHERE role = 'owner'"));
  const manager = await inbox.member('Mia', 'manager');
  const wake = () => {
    for (const { composition } of inbox.servers) composition.sendAlerts();
  };
  const { alerts } = (await manager.call('GET', '/me/alerts')).body;
  publicKey = String(alerts.push.publicKey);
  return {
    ...{ inbox, manager, catcher, peer, tool, clock, wake, rows: inbox.rows },
    /** Lets time pass, and lets the server look. */
    pass(ms: number) {
      clock.now += ms;
      wake();
    },
    /** A visitor who asks for a person, with their conversation. */
    async ask(name: string, body: object = {}): Promise<{ id: string; key: string }> {
      const { key } = await inbox.server.user({ name });
      const id = await inbox.server.conversation(key);
      await inbox.server.sendMessage(key, id, 'A secret question');
      const asked = await inbox.bot('POST', `/conversations/${id}/handoff`, body);
      expect(asked.body).toMatchObject({ accepted: true });
      return { id, key };
    },
    async setTool(url: string | null = tool.url): Promise<void> {
      expect((await manager.call('PUT', '/alerts', { url })).status).toBe(200);
    },
    /** The inbox of a member is open now. */
    see: (memberId: string) => inbox.server.db.write((tx) => setSeen(tx, memberId, clock.now, clock.now)),
    subscribe: async (member: { call: typeof manager.call }, browser: TestBrowser = peer.browser()) => {
      expect((await member.call('PUT', '/me/alerts', { push: browser })).status).toBe(200);
      return browser;
    },
    messages: () => tool.received.map(({ text }) => JSON.parse(text) as ToolMessage),
    /** Resolves when the chat tool has got this number of messages. */
    told: (count: number) => expect.poll(() => tool.received.length, pollOptions).toBe(count),
    /** Resolves when the mail server has got this number of mails. */
    mailed: (count: number) => expect.poll(() => catcher.mails.length, pollOptions).toBe(count),
    /** Resolves when nothing more is to be sent. */
    settled: () =>
      expect
        .poll(async () => (await inbox.rows('alerts')).filter(({ due_at }) => due_at !== null), pollOptions)
        .toEqual([]),
  };
}
