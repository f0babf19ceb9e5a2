// Tests of the mailer with a real SMTP server that accepts, refuses, is busy, hangs or is not there.
import { getEventListeners } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createLogger } from '../startup/log.ts';
import { pollOptions } from '../testing.ts';
import { createMailer, type Mailer } from './mailer.ts';
import { openMailCatcher } from './testing.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const mail = {
  to: 'ann@example.com',
  subject: 'Hello',
  text: 'Text',
  html: '<p>Text',
  messageId: '<1@example.com>',
};

function mailerTo(
  url: string,
  delays = [1, 1],
  timeout?: number,
): { mailer: Mailer; log: { msg: string; responseCode?: number }[] } {
  const log: { msg: string; responseCode?: number }[] = [];
  const logger = createLogger('info', { write: (line: string) => log.push(JSON.parse(line)) });
  const mailer = createMailer({ url, from: 'webchat@example.com' }, logger, {
    delays,
    ...(timeout && { timeout }),
  });
  closing.push(() => mailer.close());
  return { mailer, log };
}

async function catcherOf() {
  const catcher = await openMailCatcher();
  closing.push(catcher.close);
  return catcher;
}

test('mailer: a mail arrives once, with its Message-ID', async () => {
  const catcher = await catcherOf();
  const { mailer, log } = mailerTo(catcher.url);
  mailer.send(mail);
  const { messageId, to } = await catcher.mailTo(mail.to);
  expect([messageId, [to].flat()[0]?.text]).toEqual(['<1@example.com>', mail.to]);
  await mailer.settled();
  expect([catcher.mails.length, log]).toEqual([1, []]);
});

test('mailer: a refused recipient is not tried again', async () => {
  const catcher = await catcherOf();
  catcher.refuse(550);
  const { mailer, log } = mailerTo(catcher.url);
  mailer.send(mail);
  await mailer.settled();
  expect(log.map(({ msg, responseCode }) => [msg, responseCode])).toEqual([['a mail was not sent', 550]]);
  expect(catcher.asked()).toBe(1);
});

test('mailer: a server that is busy is asked again, and the mail then arrives once', async () => {
  const catcher = await catcherOf();
  catcher.refuse(451);
  const { mailer, log } = mailerTo(catcher.url, Array<number>(10_000).fill(1));
  mailer.send(mail);
  await expect.poll(() => log.length, pollOptions).toBeGreaterThan(0);
  catcher.accept();
  await catcher.mailTo(mail.to);
  await mailer.settled();
  expect(catcher.mails.length).toBe(1);
  expect(new Set(log.map(({ msg }) => msg))).toEqual(
    new Set(['a mail could not be sent and is tried again']),
  );
});

test('mailer: a server that stays busy, and one that is not there, are given up', async () => {
  const catcher = await catcherOf();
  catcher.refuse(451);
  const { mailer, log } = mailerTo(catcher.url);
  mailer.send(mail);
  await mailer.settled();
  expect([catcher.asked(), log.at(-1)?.msg]).toEqual([3, 'a mail was not sent']);
  const none = mailerTo('smtp://127.0.0.1:1');
  none.mailer.send(mail);
  await none.mailer.settled();
  expect([none.log.length, none.log.at(-1)?.msg]).toEqual([3, 'a mail was not sent']);
});

test('mailer: a server that accepts and then says nothing does not hold anything up', async () => {
  const sockets = new Set<Socket>();
  const silent: Server = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });
  const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { mailer, log } = mailerTo(url, [1, 1], 300);
  mailer.send(mail);
  await mailer.settled();
  expect(log.at(-1)?.msg).toBe('a mail was not sent');
  // The last one may not be accepted yet.
  await expect.poll(() => sockets.size, pollOptions).toBe(3);
});

test('mailer: a name and a password are not sent on a connection without TLS', async () => {
  const catcher = await catcherOf();
  const { mailer, log } = mailerTo(catcher.url.replace('//', '//user:secret@'), []);
  mailer.send(mail);
  await mailer.settled();
  expect([catcher.mails.length, log.map(({ msg }) => msg)]).toEqual([0, ['a mail was not sent']]);
});

test('mailer: neither a recipient nor a subject begins another header or another recipient', async () => {
  const catcher = await catcherOf();
  const { mailer } = mailerTo(catcher.url);
  mailer.send({ ...mail, subject: 'Hi\r\nBcc: victim@example.com' });
  const caught = await catcher.mailTo(mail.to);
  expect([caught.recipients, caught.headers.has('bcc')]).toEqual([[mail.to], false]);
  for (const to of ['a@example.com>\r\nRCPT TO:<victim@example.com', 'a@example.com, victim@example.com']) {
    mailer.send({ ...mail, to });
    await mailer.settled();
  }
  expect(
    catcher.mails
      .filter(({ recipients }) => recipients.join().includes('victim'))
      .map(({ recipients }) => recipients),
  ).toEqual([]);
});

test('mailer: closing ends the pauses between tries', async () => {
  const { mailer, log } = mailerTo('smtp://127.0.0.1:1', [600_000]);
  mailer.send(mail);
  await expect.poll(() => log.length, pollOptions).toBe(1);
  await mailer.close();
  await mailer.settled();
  expect(log.length).toBe(1);
});

test('mailer: a mail that was sent, or refused, leaves no listener at the signal of the end', async () => {
  const catcher = await catcherOf();
  const { mailer } = mailerTo(catcher.url);
  const adding = vi.spyOn(EventTarget.prototype, 'addEventListener');
  expect(await mailer.sendOnce(mail)).toEqual({ state: 'sent' });
  catcher.refuse(550);
  expect(await mailer.sendOnce(mail)).toEqual({ state: 'refused' });
  const signals = adding.mock.contexts.filter((target) => target instanceof AbortSignal);
  expect(signals.length).toBeGreaterThan(0);
  for (const signal of signals) expect(getEventListeners(signal, 'abort')).toEqual([]);
});
