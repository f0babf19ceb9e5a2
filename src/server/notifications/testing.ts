// A real SMTP server for tests, which keeps what it receives, or refuses it.
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** A received mail, and to whom the server was told to deliver it. */
export type CaughtMail = ParsedMail & { recipients: string[] };

export interface MailCatcher {
  url: string;
  mails: CaughtMail[];
  /** Waits for the last mail to an address. */
  mailTo(address: string): Promise<CaughtMail>;
  /** Answers each recipient with this status from now on. Returns how often it was asked, which grows. */
  refuse(status: number): void;
  accept(): void;
  /** Takes mails from now on, and does not say so until the returned function is called. */
  hold(): () => void;
  /** The number of recipients that it was asked for. */
  asked(): number;
  close(): Promise<void>;
}

export async function openMailCatcher(): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  let refusal: number | undefined;
  let asked = 0;
  let held = Promise.resolve();
  const waiting = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_, __, callback) {
      asked += 1;
      if (refusal === undefined) callback();
      else callback(Object.assign(new Error('Refused'), { responseCode: refusal }));
    },
    onData(stream, { envelope }, callback) {
      simpleParser(stream).then((mail) => {
        mails.push({ ...mail, recipients: envelope.rcptTo.map(({ address }) => address) });
        void held.then(() => callback());
        for (const look of waiting) look();
        waiting.clear();
      }, callback);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const find = (address: string) => mails.findLast(({ recipients }) => recipients.includes(address));
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async mailTo(address) {
      for (;;) {
        const mail = find(address);
        if (mail) return mail;
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    },
    refuse(status) {
      refusal = status;
    },
    accept() {
      refusal = undefined;
    },
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    asked: () => asked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
