// Alerts in the console: a member switches on mails and pushes, and a manager sets the chat tool of the team.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { openPushPeer, type PushPeer } from '../../src/server/notifications/push-service.testing.ts';
import { type MailCatcher, openMailCatcher } from '../../src/server/notifications/testing.ts';
import { expect, test } from '../inbox/inbox-page.ts';
import { subscribeAt } from '../people/push-browser.ts';

const env: Record<string, string> = {
  PUSH_CONTACT: 'mailto:help@example.com',
  MAIL_FROM: 'chat@example.com',
  PUBLIC_URL: 'http://127.0.0.1:9',
  WEBHOOK_PRIVATE: 'allow',
};
test.use({ env });

let peer: PushPeer;
let mails: MailCatcher;
let tool: Server;
let toolUrl = '';
/** How the chat tool answers, and what it has got. */
let status = 200;
const received: string[] = [];

test.beforeAll(async () => {
  peer = await openPushPeer(() => '');
  mails = await openMailCatcher();
  env.PUSH_HOSTS = peer.host;
  env.SMTP_URL = mails.url;
  tool = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    received.push(text);
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => tool.listen(0, '127.0.0.1', resolve));
  toolUrl = `http://127.0.0.1:${(tool.address() as AddressInfo).port}/secret`;
});
test.afterAll(async () => {
  await peer.close();
  await mails.close();
  tool.closeAllConnections();
  await new Promise((resolve) => tool.close(resolve));
});

/** The browser answers the question for notifications. Without a window, it has none. */
const answerPermission = (page: Page, answer: NotificationPermission) =>
  page.addInitScript((given) => {
    let permission: NotificationPermission = given === 'denied' ? 'denied' : 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => {
      permission = given;
      return permission;
    };
  }, answer);

test('a member switches mails off and notifications on, and what was chosen is shown again', {
  tag: '@story',
}, async ({ member, openInbox }) => {
  const ada = await member('Ada');
  const inbox = await openInbox(ada);
  const { page } = inbox;
  await answerPermission(page, 'granted');
  await subscribeAt(page, peer.browser());
  await page.goto(page.url().replace(/\?.*|$/, '?page=account'));
  const section = page.getByRole('region', { name: 'When nobody has the inbox open' });
  const mail = section.getByRole('checkbox', { name: 'Send me a mail' });
  await expect(mail).toBeChecked();
  await mail.uncheck();
  await expect(section.getByRole('status')).toHaveText('Mails are switched off.');
  await section.getByRole('button', { name: 'Switch on notifications in this browser' }).press('Enter');
  await expect(section.getByRole('status')).toHaveText('This browser gets notifications now.');
  await expect(
    section.getByRole('button', { name: 'Switch off notifications in this browser' }),
  ).toBeVisible();
  const worker = await page.evaluate(
    async () => (await navigator.serviceWorker.getRegistration())?.active?.scriptURL ?? '',
  );
  expect(new URL(worker).pathname).toBe('/console/alert-worker.js');
  expect(await inbox.violations()).toEqual([]);

  await section.getByRole('button', { name: 'Switch off notifications in this browser' }).press('Enter');
  await expect(section.getByRole('status')).toHaveText('This browser gets no notifications any more.');
  await expect(
    section.getByRole('button', { name: 'Switch on notifications in this browser' }),
  ).toBeVisible();

  await page.reload();
  await expect(
    section.getByRole('button', { name: 'Switch on notifications in this browser' }),
  ).toBeVisible();
  await expect(mail).not.toBeChecked();
});

test('a member whose browser blocks notifications is told what to do', async ({ member, openInbox }) => {
  const ada = await member('Ada');
  const { page } = await openInbox(ada);
  await answerPermission(page, 'denied');
  await page.goto(page.url().replace(/\?.*|$/, '?page=account'));
  const section = page.getByRole('region', { name: 'When nobody has the inbox open' });
  await expect(section).toContainText(
    'This browser blocks notifications of this page. Allow them in the settings',
  );
  await expect(section.getByRole('button')).toHaveCount(0);
});

test('a notification that is pressed opens the conversation in the open console', async ({
  member,
  openInbox,
  visitor,
}) => {
  const [ada, lena] = [await member('Ada'), await visitor('Lena')];
  const { page, conversation } = await openInbox(ada);
  await page.goto(page.url().replace(/\?.*|$/, '?page=account'));
  await expect(page.getByRole('region', { name: 'When nobody has the inbox open' })).toBeVisible();
  // As the service worker does.
  const answer = await page.evaluate(async (search) => {
    const { port1, port2 } = new MessageChannel();
    const answered = new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
    });
    const data = { type: 'platform-webchat open conversation', search };
    navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data, ports: [port2] }));
    return answered;
  }, `?list=all&conversation=${lena.conversationId}`);
  expect(answer).toBe(true);
  await expect(conversation.getByRole('heading', { name: 'Lena' })).toBeVisible();
});

test('a manager sets the chat tool, tests it, and sees why it refuses; support does not see it', async ({
  member,
  openInbox,
}) => {
  const [mia, ada] = [await member('Mia', 'manager'), await member('Ada')];
  const inbox = await openInbox(mia);
  const { page } = inbox;
  const settings = page.url().replace(/\?.*|$/, '?page=settings&tab=webhooks');
  await page.goto(settings);
  const section = page.getByRole('region', { name: 'Messages to your chat tool' });
  const address = section.getByRole('textbox', { name: 'Address of the webhook' });
  await address.fill('hooks');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(section).toContainText('Enter an address that begins with https://.');
  await expect(address).toBeFocused();
  await address.fill(toolUrl);
  await section.getByRole('button', { name: 'Save' }).click();
  status = 403;
  await section.getByRole('button', { name: 'Send a test message' }).click();
  await expect(section.getByRole('status').last()).toHaveText('The test message was not accepted.');
  await expect(section).toContainText('its response had the status 403.');
  expect(await inbox.violations()).toEqual([]);
  status = 200;
  await section.getByRole('button', { name: 'Send a test message' }).click();
  await expect(section.getByRole('status').last()).toHaveText('The test message was sent.');
  await expect(section).not.toContainText('status 403');
  expect(received).toHaveLength(2);
  expect(JSON.parse(received[1] ?? '')).toMatchObject({ type: 'test' });
  await page.reload();
  await expect(address).toHaveValue(toolUrl);
  await address.fill('');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(section.getByRole('button', { name: 'Send a test message' })).toHaveCount(0);

  const other = await openInbox(ada);
  await other.page.goto(settings);
  await expect(other.page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await expect(other.page.getByText('Loading…')).toHaveCount(0);
  await expect(other.page.getByRole('region', { name: 'Messages to your chat tool' })).toHaveCount(0);
});
