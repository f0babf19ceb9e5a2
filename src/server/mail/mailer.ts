// Sends mails by SMTP. If the mail server cannot accept a mail, it is retried for a few minutes. Mails are not stored
// on disk.
import { setTimeout } from 'node:timers/promises';
import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';

export interface MailOptions {
  /** The SMTP server: `smtp://user:password@host:587` or `smtps://…`. */
  url: string;
  /** The sender: an address, or `Name <address>`. */
  from: string;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Identifies the mail, so that mail programs show a repeated mail once. */
  messageId: string;
}

export interface Mailer {
  /** Sends a mail in the background. The result is logged, without the address and the text. */
  send(mail: Mail): void;
  /** Resolves when no mail is being sent. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Time limits in milliseconds: for the connection, the greeting, and the response to a command. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
/** Milliseconds before each retry. A one-time link is valid for 15 minutes. */
const defaultDelays = [10_000, 60_000, 240_000];
/**
 * The maximum number of mails in the queue. Further ones are dropped, so that an unresponsive mail server does not fill
 * the memory.
 */
const maxPending = 200;

/** `delays` and `timeout` (milliseconds, instead of all `timeouts`) are for tests. */
export function createMailer(
  { url, from }: MailOptions,
  logger: Logger,
  { delays = defaultDelays, timeout }: { delays?: readonly number[]; timeout?: number } = {},
): Mailer {
  const closing = new AbortController();
  const pending = new Set<Promise<void>>();
  let transport: Promise<Transporter> | undefined;

  async function connect(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    const names = Object.entries(timeouts).map(([name, time]) => [name, timeout ?? time]);
    // The user and the password are sent only on an encrypted connection.
    const requireTLS = new URL(url).username !== '';
    const limits = Object.fromEntries(names) as typeof timeouts;
    return createTransport({ url, requireTLS, ...limits, disableFileAccess: true, disableUrlAccess: true });
  }

  async function deliver({ to, ...mail }: Mail): Promise<void> {
    for (let attempt = 0; !closing.signal.aborted; attempt += 1) {
      try {
        transport ??= connect();
        await (await transport).sendMail({
          ...mail,
          from,
          // As an object: a text would be parsed as a list of addresses.
          to: { name: '', address: to },
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        });
        return;
      } catch (error) {
        const { code = 'unknown', responseCode } = error as { code?: string; responseCode?: number };
        const delay = delays[attempt];
        // The mail server has refused the mail, or the address is invalid, so it was not contacted.
        const isRefused = responseCode === undefined ? code === 'EENVELOPE' : responseCode >= 500;
        if (isRefused || delay === undefined) {
          logger.error({ code, responseCode }, 'a mail was not sent');
          return;
        }
        logger.warn({ code, responseCode }, 'a mail could not be sent and is tried again');
        // Ends at once when the server stops.
        await setTimeout(delay, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      }
    }
  }

  return {
    send(mail) {
      if (pending.size >= maxPending) {
        logger.error('a mail was not sent: the queue is full');
        return;
      }
      const sending: Promise<void> = deliver(mail).finally(() => pending.delete(sending));
      pending.add(sending);
    },
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
    async close() {
      closing.abort();
      (await transport?.catch(() => undefined))?.close();
    },
  };
}
