// Sends mails by SMTP. A mail that the server cannot take now is tried again for a few minutes; none is kept on disk.
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
  /** Names the mail for its reader: the same mail twice is one. */
  messageId: string;
}

export interface Mailer {
  /** Sends a mail in the background. What becomes of it is logged, without its address and text. */
  send(mail: Mail): void;
  /** Resolves when no mail is being sent. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds that a server may take to accept a connection, to greet, and to answer a command. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
/** Milliseconds before each further try. A one-time link is valid for 15 minutes. */
const defaultDelays = [10_000, 60_000, 240_000];
/** Mails that may be on their way. Further ones are dropped, so that a server that hangs does not fill the memory. */
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
    // A name and a password are sent only on an encrypted connection.
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
        // Refused by the server, or before it was asked, because the address is none.
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
        logger.error('a mail was not sent: too many are on their way');
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
