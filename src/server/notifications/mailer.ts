// Sends mails by SMTP. If the mail server cannot accept a mail, it is retried for a few minutes. Mails are not stored
// on disk.
import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';

export interface MailOptions {
  /** The SMTP server: `smtp://user:password@host:587` or `smtps://…`. */
  url: string;
  /** The sender: an address, or `Name <address>`. */
  from: string;
  /** The address of the server, with which links begin. */
  address: string;
  /** Milliseconds after an answer until a visitor who has not read it gets a mail. */
  answerDelay: number;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Identifies the mail, so that mail programs show a repeated mail once. */
  messageId: string;
  /** Further headers, such as `List-Unsubscribe`. */
  headers?: Record<string, string>;
}

/**
 * The outcome of a mail: `refused`: the server will never accept it for this recipient; `failed`: it may be accepted later.
 * `isUnreachable`: the mail server did not answer, so that other mails fail, too.
 */
export type MailOutcome = { state: 'sent' | 'refused' } | { state: 'failed'; isUnreachable: boolean };

export interface Mailer {
  /** Sends a mail in the background. The result is logged, without the address and the text. */
  send(mail: Mail): void;
  /** Tries once to send a mail. Never rejects. After `close` it fails at once; a mail may then have been sent. */
  sendOnce(mail: Mail): Promise<MailOutcome>;
  /** Tries once to send a mail, for a person who waits for the result: undefined, or one or two sentences about the failure. */
  test(mail: Mail): Promise<string | undefined>;
  /** Resolves when no mail is being sent. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** An error of nodemailer: `command` is what the server refused. */
interface SmtpError {
  code?: string;
  responseCode?: number;
  command?: string;
  /** The answer of the server. */
  response?: string;
}

const failures: Record<string, string> = {
  EAUTH: 'The mail server refuses the user or the password in SMTP_URL.',
  ESOCKET:
    'The mail server cannot be reached, or its certificate is not valid. Check the host and the port in SMTP_URL.',
  ECONNECTION: 'The mail server cannot be reached. Check the host and the port in SMTP_URL.',
  ECONNREFUSED: 'The mail server refuses the connection. Check the host and the port in SMTP_URL.',
  EDNS: 'The name of the mail server in SMTP_URL is unknown.',
  ETIMEDOUT: 'The mail server does not answer. Check the host and the port in SMTP_URL, and the firewall.',
  ETLS: 'The mail server offers no encrypted connection, which a user and a password need.',
  EENVELOPE: 'The mail server refuses the sender (MAIL_FROM) or the recipient.',
};

/** A failure in words, with the answer of the mail server in one line. */
function describeFailure({ code = 'unknown', response }: SmtpError): string {
  const words = failures[code] ?? `The mail could not be sent (${code}).`;
  return response ? `${words} It answered: ${inOneLine(response).slice(0, 300)}` : words;
}

/** Time limits in milliseconds: for the connection, the greeting, and the response to a command. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
/** Milliseconds before each retry. A one-time link is valid for 15 minutes. */
const defaultDelaysMs = [10_000, 60_000, 240_000];
/**
 * The maximum number of mails in the queue. Further ones are dropped, so that an unresponsive mail server does not fill
 * the memory.
 */
const maxPending = 200;

/** `delays` and `timeout` (milliseconds, instead of all `timeouts`) are for tests. */
export function createMailer(
  { url, from }: Pick<MailOptions, 'url' | 'from'>,
  logger: Logger,
  { delays = defaultDelaysMs, timeout }: { delays?: readonly number[]; timeout?: number } = {},
): Mailer {
  const closing = new AbortController();
  // Each mail that is being sent, or waits for another attempt, adds a listener.
  setMaxListeners(0, closing.signal);
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

  async function post({ to, headers, ...mail }: Mail): Promise<void> {
    transport ??= connect();
    await (await transport).sendMail({
      ...mail,
      from,
      // As an object: a text would be parsed as a list of addresses.
      to: { name: '', address: to },
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...headers },
    });
  }

  async function deliver(mail: Mail): Promise<void> {
    for (let attempt = 0; !closing.signal.aborted; attempt += 1) {
      try {
        await post(mail);
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
    async sendOnce(mail) {
      const { signal } = closing;
      let onAbort = () => {};
      const closed = new Promise<never>((_, reject) => {
        onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        signal.throwIfAborted();
      });
      try {
        await Promise.race([post(mail), closed]);
        return { state: 'sent' };
      } catch (error) {
        const { code = 'unknown', responseCode, command = '' } = error as SmtpError;
        logger.warn({ code, responseCode }, 'a mail about an answer could not be sent');
        // Of the recipient or the mail: a refused sign-in or sender is a fault of the settings, which can be repaired.
        const isOfMail = /^(?:RCPT|DATA)/i.test(command) || code === 'EMESSAGE';
        if (isOfMail && responseCode !== undefined && responseCode >= 500) return { state: 'refused' };
        // Refused before the server was asked, because the address is none.
        if (code === 'EENVELOPE' && responseCode === undefined) return { state: 'refused' };
        return { state: 'failed', isUnreachable: responseCode === undefined };
      } finally {
        // The signal lives as long as the server: each mail would stay in memory.
        signal.removeEventListener('abort', onAbort);
      }
    },
    async test(mail) {
      try {
        await post(mail);
        return undefined;
      } catch (error) {
        const { code = 'unknown', responseCode } = error as SmtpError;
        logger.warn({ code, responseCode }, 'a test mail could not be sent');
        return describeFailure(error as SmtpError);
      }
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

/**
 * Returns a text of a person for a mail as one line: a name with line breaks must not begin another header or another
 * paragraph. The joiners of Persian words and of emoji stay. Empty if nothing can be shown.
 */
export function inOneLine(text: string): string {
  const line = text.replace(/(?:\s|[^\P{C}\u200c\u200d])+/gu, ' ').trim();
  return /[^\s\p{C}]/u.test(line) ? line : '';
}
