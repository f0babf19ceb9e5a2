// The form before a conversation: what is asked, what the server has afterwards, and what is not lost on the way.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { violations } from '../support/axe.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';
import { openTab } from '../support/tabs.ts';
import { botClientsOf } from '../support/test-data/bot-clients.ts';
import { preChatForm as content } from '../support/test-data/pre-chat-form.ts';

const attributesOf = (preChatForm: unknown) => `data-pre-chat-form='${JSON.stringify(preChatForm)}'`;

const form = (chat: ChatPage) => chat.window.locator('form.pre-chat-form');
const field = (chat: ChatPage, label: string) => form(chat).getByLabel(label);
const start = (chat: ChatPage) => form(chat).getByRole('button', { name: 'Start the chat' });
const isCreation = (url: string) => /\/(users|conversations)$/.test(url);
const isCreationUrl = (url: URL) => isCreation(url.pathname);

async function open(chat: ChatPage): Promise<void> {
  await chat.open();
  await expect(form(chat)).toBeVisible();
}

async function fill(chat: ChatPage): Promise<void> {
  await field(chat, 'Name').fill('Ann');
  await field(chat, 'E-mail address').fill('ann@example.com');
  await field(chat, 'Topic').selectOption('My order');
  await field(chat, 'Order number').fill('№ 12');
  await field(chat, content.consent).check();
}

/** Data of the server about the visitor of this browser, without messages. */
async function onServer(chat: ChatPage) {
  const { admin, botId } = await botClientsOf(chat.platform);
  const { userId = '' } = await chat.storedSession();
  const { items } = await admin.exportVisitor({ id: botId, userId });
  return items as unknown as Record<string, unknown>[];
}
const ofType = (items: Record<string, unknown>[], type: string) => items.filter((item) => item.type === type);

test('while the server does not say what it supports nothing is created, and the form comes when it does', async ({
  chat,
  page,
  platform,
  serve,
}) => {
  const tag = `<script nonce="n0nce" src="${platform.url}/webchat/webchat.js" data-chat-url="${platform.chatUrl}"
    ${attributesOf({ consent: content.consent })}></script>`;
  let refused = 0;
  await page.route(/\/chat\/[^/]+\/webchat$/, (route) => {
    if (refused === 2) return route.continue();
    refused += 1;
    return route.abort();
  });
  await page.goto(serve('/static-script', pageHtml(tag)));
  await chat.launcher.click();
  await expect(form(chat)).toBeVisible();
  expect(refused).toBe(2);
  await page.waitForLoadState('networkidle');
  expect(chat.requests.filter(isCreation)).toEqual([]);
  await field(chat, content.consent).check();
  await start(chat).click();
  await expect(chat.botRows).toHaveCount(1);
  expect(ofType(await onServer(chat), 'preChatForm')).toMatchObject([
    { preChatForm: { consent: { text: content.consent } } },
  ]);
  chat.ignoreConsoleErrors(/Failed to load resource|ERR_FAILED/);
});

test.describe('with all kinds of fields', () => {
  test.use({ attributes: attributesOf(content) });

  test('nothing is created before it is filled in; mistakes are named at their fields; then bot and team have the answers', {
    tag: '@story',
  }, async ({ chat, page }) => {
    await open(chat);
    await expect(form(chat)).toHaveAccessibleName('Before we begin');
    await expect(form(chat)).toHaveAccessibleDescription(/Tell us who you are/);
    await expect(field(chat, 'Name')).toBeFocused();
    await expect(chat.input).toBeHidden();
    expect(await violations(page)).toEqual([]);
    await page.waitForLoadState('networkidle');
    expect(chat.requests.filter(isCreation)).toEqual([]);

    await start(chat).click();
    await expect(field(chat, 'Name')).toBeFocused();
    await expect(field(chat, 'Name')).toHaveAccessibleDescription('Please fill in this field');
    await expect(field(chat, content.consent)).toHaveAccessibleDescription(/Please agree/);
    await expect(field(chat, 'Order number')).not.toHaveAttribute('aria-invalid', 'true');
    await fill(chat);
    await field(chat, 'E-mail address').fill('ann at example');
    await page.keyboard.press('Enter');
    await expect(field(chat, 'E-mail address')).toBeFocused();
    await expect(field(chat, 'E-mail address')).toHaveAccessibleDescription('Please enter an e-mail address');
    await expect(form(chat).locator('[aria-invalid="true"]')).toHaveCount(1);
    expect(await violations(page)).toEqual([]);
    expect(chat.requests.filter(isCreation)).toEqual([]);

    await field(chat, 'E-mail address').fill('ann@example.com');
    await page.keyboard.press('Enter');
    await expect(chat.botRows).toHaveCount(1);
    await expect(form(chat)).toHaveCount(0);
    await expect(chat.input).toBeFocused();
    await chat.exchange('Bicycles');
    const items = await onServer(chat);
    expect(ofType(items, 'user')).toMatchObject([{ user: { name: 'Ann' } }]);
    expect(ofType(items, 'contact')).toMatchObject([{ contact: { email: 'ann@example.com' } }]);
    expect(ofType(items, 'preChatForm')).toMatchObject([
      {
        preChatForm: {
          topic: 'order',
          consent: { text: content.consent, at: expect.any(String) },
          fields: { number: '№ 12' },
        },
      },
    ]);
    expect(ofType(items, 'conversation')).toHaveLength(1);
  });

  test('in a low window the button of a form with errors stays in view', async ({ chat, page }) => {
    await page.setViewportSize({ width: 390, height: 380 });
    await open(chat);
    await start(chat).click();
    await expect(field(chat, 'Name')).toBeFocused();
    for (const name of ['Name', 'E-mail address', content.consent]) {
      await field(chat, name).focus();
      await expect(start(chat)).toBeInViewport({ ratio: 1 });
      const [control, button] = [await field(chat, name).boundingBox(), await start(chat).boundingBox()];
      expect((control?.y ?? Number.NaN) + (control?.height ?? 0), name).toBeLessThanOrEqual(button?.y ?? 0);
    }
  });

  test('a known visitor is asked for the new conversation only, and can go back', async ({ chat, page }) => {
    await open(chat);
    await fill(chat);
    await start(chat).click();
    await chat.exchange('Bicycles');
    await chat.reopen();
    await expect(chat.rows.filter({ hasText: 'Bicycles' })).toHaveCount(2);
    await expect(form(chat)).toHaveCount(0);

    const restart = () =>
      page.evaluate(() => {
        (window.platform as Platform).restartConversation().catch(() => {});
      });
    await restart();
    await expect(field(chat, 'Topic')).toBeVisible();
    await expect(form(chat).locator('input, select')).toHaveCount(2);
    await form(chat).getByRole('button', { name: 'Back to the conversation' }).click();
    await expect(form(chat)).toHaveCount(0);
    await chat.exchange('still here');

    await restart();
    await field(chat, 'Topic').selectOption('Prices');
    await start(chat).click();
    await expect(chat.rows.filter({ hasText: 'Bicycles' })).toHaveCount(0);
    await expect(chat.botRows).toHaveCount(1);
    const answers = ofType(await onServer(chat), 'preChatForm').map(({ preChatForm }) => preChatForm);
    expect(answers).toHaveLength(2);
    expect(answers).toContainEqual({ topic: 'Prices' });
  });

  test('typed answers survive a reload, and messages of the page are sent later', async ({ chat, page }) => {
    await open(chat);
    await field(chat, 'Name').fill('Ann');
    await field(chat, 'E-mail address').fill('ann@example.com');
    await chat.reopen();
    await expect(field(chat, 'Name')).toHaveValue('Ann');
    await expect(field(chat, 'E-mail address')).toHaveValue('ann@example.com');
    await page.evaluate(() => {
      (window.platform as Platform).sendMessage('from the page').catch(() => {});
    });
    await fill(chat);
    expect(chat.requests.filter(isCreation)).toEqual([]);
    await start(chat).click();
    await expect(chat.rows.filter({ hasText: 'from the page' })).toHaveCount(2);
    expect(await chat.serverTexts()).toContain('from the page');
  });

  test('a form that failed to load loads again, and nothing is created before', async ({ chat, page }) => {
    const isForm = /\/start-[\w-]+\.js$/;
    await chat.goto();
    await page.route(isForm, (route) => route.abort());
    const failing = page.waitForEvent('requestfailed', (request) => isForm.test(request.url()));
    await chat.launcher.click();
    await failing;
    // The next attempt can follow after a fifth of a second.
    await expect(chat.window.getByRole('alert')).toHaveText(/The chat cannot be reached. Trying again/);
    await page.unroute(isForm);
    await expect(field(chat, 'Name')).toBeVisible();
    expect(chat.requests.filter(isCreation)).toEqual([]);
    await fill(chat);
    await start(chat).click();
    await expect(chat.botRows).toHaveCount(1);
    expect(ofType(await onServer(chat), 'preChatForm')).toHaveLength(1);
    chat.ignoreConsoleErrors('ERR_FAILED');
    chat.ignoreConsoleErrors('chunk_failed');
  });

  test('answers that only the server refuses are named at their fields', async ({ chat, page }) => {
    await open(chat);
    await fill(chat);
    await page.route(
      isCreationUrl,
      async (route) => {
        const sent = route.request().postDataJSON();
        sent.preChatForm.topic = '<b>';
        sent.preChatForm.fields.number = '<b>';
        const response = await route.fetch({ postData: JSON.stringify(sent) });
        await route.fulfill({ response, json: { ...(await response.json()), message: 'Another text.' } });
      },
      { times: 1 },
    );
    await start(chat).click();
    await expect(field(chat, 'Topic')).toHaveAccessibleDescription('Please leave out special characters');
    await expect(field(chat, 'Topic')).toBeFocused();
    await expect(field(chat, 'Order number')).toHaveAccessibleDescription(
      'Please leave out special characters',
    );
    await expect(form(chat).locator('[aria-invalid="true"]')).toHaveCount(2);
    await expect(field(chat, 'Name')).toHaveValue('Ann');
    chat.ignoreConsoleErrors('400');
    await start(chat).click();
    await expect(chat.botRows).toHaveCount(1);
    expect(ofType(await onServer(chat), 'preChatForm')).toHaveLength(1);
  });

  test('the form in another tab ends with the conversation that this one begins', async ({ chat }) => {
    await open(chat);
    const other = await openTab(chat);
    await other.launcher.click();
    await expect(form(other)).toBeVisible();
    await fill(chat);
    await start(chat).click();
    await chat.exchange('Bicycles');
    await expect(form(other)).toHaveCount(0);
    await expect(other.rows.filter({ hasText: 'Bicycles' })).toHaveCount(2);
    expect(ofType(await onServer(chat), 'conversation')).toHaveLength(1);
  });
});

test.describe('for a visitor whom the page identifies', () => {
  test.use({
    attributes: attributesOf({ name: 'required', email: 'required', consent: 'Yes.' }),
  });

  test('nothing is asked that the site knows', async ({ chat }) => {
    await chat.goto();
    await chat.identifyCustomer();
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
    await expect(form(chat)).toHaveCount(0);
    await chat.exchange('Bicycles');
    // Whether the user exists is asked before.
    chat.ignoreConsoleErrors('401');
  });
});

test.describe('on a phone, from right to left', () => {
  test.use({
    attributes: `${attributesOf({ ...content, consent: 'أوافق' })} data-locale="ar"`,
    viewport: { width: 375, height: 667 },
  });

  test('controls are 44 px high and fit the width, and axe finds nothing', async ({ chat, page }) => {
    await chat.open();
    // The name of the window is in Arabic.
    const shown = page.locator('form.pre-chat-form');
    await expect(shown).toBeVisible();
    expect(await violations(page)).toEqual([]);
    const controls = shown.locator(
      'input:not([type="checkbox"]), select, button, label:has([type="checkbox"])',
    );
    await expect(controls).toHaveCount(6);
    const sizes = await controls.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
    for (const { height, left, right } of sizes) {
      expect(height).toBeGreaterThanOrEqual(44);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(375);
    }
    expect(await shown.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await expect(shown.locator('input').first()).toHaveCSS('direction', 'rtl');
  });
});
