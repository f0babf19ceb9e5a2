// Questions of the bot that wait for an answer: with buttons and as a form, and in two tabs.
import type { Locator, Page } from '@playwright/test';
import { announcements, recordAnnouncements } from '../support/announcements.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { openTab } from '../support/tabs.ts';

test.use({ env: scriptedBot });

const question = 'Shall I send the mail?';
const input = { to: 'ada@example.com', text: 'Hello' };
/** An answer with a tool that needs approval. */
const approval = {
  stream: ['The mail is ready. ', { tool: { name: 'send_mail', title: 'Send the mail', input } }],
  ask: [{ reason: 'tool_call', message: question, tool: 'send_mail' }],
};
const confirmation = { stream: [], ask: [{ reason: 'confirmation', message: question }] };
const form = {
  stream: [],
  ask: [
    {
      reason: 'input_required',
      message: 'Where shall we send it?',
      responseSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', title: 'Name', minLength: 2 },
          mail: { type: 'string', title: 'E-mail', format: 'email', description: 'For the confirmation' },
          day: { type: 'string', title: 'Day', format: 'date' },
          pieces: { type: 'integer', title: 'Pieces', minimum: 1, maximum: 9, default: 1 },
          size: {
            type: 'string',
            title: 'Size',
            oneOf: [
              { const: 's', title: 'Small' },
              { const: 'l', title: 'Large' },
            ],
          },
          extras: { type: 'array', title: 'Extras', items: { enum: ['Card', 'Ribbon'] }, maxItems: 1 },
          gift: { type: 'boolean', title: 'It is a gift' },
        },
        required: ['name', 'mail', 'size'],
      },
    },
  ],
};

const cardIn = (page: Page, name = question) => page.locator('platform-webchat').getByRole('group', { name });
const button = (card: Locator, name: string | RegExp) => card.getByRole('button', { name });
/** The line that replaces the card, or the text that replaces its buttons while a tool runs. */
const result = (card: Locator) => card.locator('.ask-result');
/** The labels and values of an object. */
const values = (of: Locator) => of.locator('.values > div');

/** The answers that the bot has received, in order, as `resolved {"approved":true}`. */
async function received(chat: ChatPage): Promise<string[]> {
  const prefix = 'received resume ';
  return (await chat.serverTexts())
    .filter((text) => text.startsWith(prefix))
    .flatMap((text) => JSON.parse(text.slice(prefix.length)).interrupts)
    .map(({ status, by, payload }) => `${status} ${by} ${JSON.stringify(payload)}`);
}
const approved = 'resolved visitor {"approved":true}';
const refused = 'resolved visitor {"approved":false}';
/** Where a client sends the answer to an interrupt. */
const responseAddress = /\/interrupts\/[^/]+\/response$/;

test('an approval shows the action, is announced once, and is answered by keyboard; the focus stays in the card', {
  tag: '@story',
}, async ({ chat, page }) => {
  await recordAnnouncements(page);
  await chat.startConversation();
  await chat.instructBot(approval);
  const card = cardIn(page);
  await expect(card).toContainText(question);
  await expect(card).toContainText('Send the mail');
  await expect(values(card.getByRole('group', { name: 'Input' }))).toHaveText([
    'Toada@example.com',
    'TextHello',
  ]);
  // The JSON is shown when it is wanted.
  await expect(card).not.toContainText('"to"');
  await card.getByText('JSON').press('Enter');
  await expect(card.getByRole('group', { name: 'JSON' })).toHaveText(JSON.stringify(input, null, 2));
  // Nothing runs while the bot waits, and the tool is shown once.
  await expect(chat.window.locator('.mark')).toHaveCount(0);
  await expect(chat.botRows.last().getByText('Send the mail', { exact: true })).toHaveCount(1);
  await chat.input.focus();
  await expect(button(card, 'Decline: Send the mail')).toBeVisible();
  await expect
    .poll(async () => (await announcements(page)).slice(1))
    .toEqual([`polite: Bot: The mail is ready. ${question} An answer is needed`]);
  await expect(chat.input).toBeFocused();

  await button(card, 'Approve: Send the mail').focus();
  await page.keyboard.press('Enter');
  await expect(result(card)).toHaveText('ApprovedSend the mail');
  await expect(result(card)).toBeFocused();
  await expect(card.getByRole('button')).toHaveCount(0);
  await expect(chat.botRows.last()).toContainText('received resume');
  expect(await received(chat)).toEqual([approved]);
  // The line opens.
  await expect(values(card)).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(values(card)).toHaveText(['Toada@example.com', 'TextHello']);
  const [title, text] = [card.locator('.ask-title'), card.locator('.ask-title + .text')];
  const [above, below] = [await title.boundingBox(), await text.boundingBox()];
  expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? Number.NaN) + (above?.height ?? Number.NaN));
  // It says all of the tool, which has no output.
  await expect(chat.window.locator('.mark')).toHaveCount(0);
  // The action of the visitor is not announced, only the next answer.
  expect((await announcements(page)).filter((text) => text.includes('Approved'))).toEqual([]);

  await chat.reopen();
  await expect(result(card)).toHaveText('ApprovedSend the mail');
  await expect(values(card)).toHaveCount(0);
  await result(card).click();
  await expect(values(card)).toHaveText(['Toada@example.com', 'TextHello']);
  await expect(card.getByRole('button')).toHaveCount(0);
});

test('long and nested values are read in words, and all of them can be seen before an approval', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  const text = 'Dear Ada, '.repeat(60);
  const order = {
    orderId: 20261120,
    amount: 1249.5,
    isGift: true,
    deliverOn: '2026-11-20',
    shipTo: { city: 'Bern', zipCode: 3011 },
    items: [{ name: 'Helmet', price: 11.9 }],
    text,
  };
  await chat.instructBot({
    stream: [{ tool: { name: 'order', title: 'Place the order', input: order } }],
    ask: [{ reason: 'tool_call', message: 'Shall I order it?', tool: 'order' }],
  });
  const card = cardIn(page, 'Shall I order it?');
  await expect(card.locator('dt')).toHaveText(
    'Order ID,Amount,Is gift,Deliver on,Ship to,City,Zip code,Items,1,Name,Price,Text'.split(','),
  );
  for (const value of ['20261120', '1,249.5', 'Yes', 'Nov 20, 2026', 'Bern', '3011', 'Helmet', '11.9'])
    await expect(card.getByText(value, { exact: true })).toBeVisible();
  await expect(card).not.toContainText(text.trim());
  await button(card, 'Show more').press('Enter');
  const whole = card.getByRole('group', { name: 'Text' });
  await expect(whole).toHaveText(text.trim());
  await expect(whole).toBeFocused();
  await button(card, 'Approve: Place the order').click();
  await expect.poll(() => received(chat)).toEqual([approved]);
});

test('a refusal is an answer, and a confirmation is answered with yes or no', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.instructBot(approval);
  await button(cardIn(page), 'Decline: Send the mail').click();
  await expect(result(cardIn(page))).toHaveText('DeclinedSend the mail');
  await expect.poll(() => received(chat)).toEqual([refused]);

  await chat.instructBot(confirmation);
  const card = cardIn(page).last();
  // The text of the answer is the question, which is shown once.
  await expect(card).toContainText(question);
  await expect(chat.botRows.last().getByText(question)).toHaveCount(1);
  await button(card, 'No').click();
  await expect(result(card)).toHaveText(`No${question}`);
  await expect.poll(() => received(chat)).toEqual([refused, refused]);
});

test('a form has labels, words at the fields with errors, and the focus at the first of them', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.startConversation();
  await chat.instructBot(form);
  const card = cardIn(page, 'Where shall we send it?');
  const field = (name: string) => card.getByLabel(name);
  await expect(field('Pieces')).toHaveValue('1');
  await expect(field('E-mail')).toHaveAccessibleDescription('For the confirmation');
  await expect(field('E-mail')).toHaveAttribute('aria-required', 'true');
  await button(card, 'Send').click();
  await expect(field('Name')).toBeFocused();
  await expect(field('Name')).toHaveAccessibleDescription('Please fill in this field');
  await expect(field('Day')).toHaveAttribute('aria-invalid', 'false');

  await field('Name').fill('A');
  await field('E-mail').fill('ada');
  await field('Pieces').fill('10');
  await field('Size').selectOption('Large');
  await card.getByRole('checkbox', { name: 'Card' }).check();
  await card.getByRole('checkbox', { name: 'Ribbon' }).check();
  await field('E-mail').press('Enter');
  await expect(field('Name')).toBeFocused();
  await expect(field('Name')).toHaveAccessibleDescription('Minimum length: 2');
  await expect(field('E-mail')).toHaveAccessibleDescription(
    'For the confirmation Please enter an e-mail address',
  );
  await expect(field('Pieces')).toHaveAccessibleDescription('Maximum: 9');
  await expect(field('Size')).toHaveAccessibleDescription('');
  await expect(card.getByRole('checkbox', { name: 'Card' })).toHaveAccessibleDescription('Maximum: 1');
  expect(await received(chat)).toEqual([]);

  await field('Name').fill('Ada');
  await field('E-mail').fill('ada@example.com');
  await field('Pieces').fill('2');
  await card.getByRole('checkbox', { name: 'Card' }).uncheck();
  await button(card, 'Send').click();
  await expect(result(card)).toHaveText(/^AnsweredAda · ada@example.com · /);
  await expect(result(card)).toBeFocused();
  await page.keyboard.press('Enter');
  for (const text of ['ada@example.com', 'Large', 'Ribbon', 'No']) {
    await expect(card.getByRole('definition').filter({ hasText: text })).toHaveCount(1);
  }
  const answer = {
    name: 'Ada',
    mail: 'ada@example.com',
    pieces: 2,
    size: 'l',
    extras: ['Ribbon'],
    gift: false,
  };
  await expect.poll(() => received(chat)).toEqual([`resolved visitor ${JSON.stringify(answer)}`]);
});

test('in a small window the first field with an error and the buttons are in view', async ({
  chat,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await chat.startConversation();
  await chat.instructBot(form);
  const card = cardIn(page, 'Where shall we send it?');
  await button(card, 'Send').click();
  await expect(card.getByLabel('Name')).toBeFocused();
  const first = card.locator('.ask-field').first();
  for (const part of [first.locator('label').first(), first.locator('.ask-error')]) {
    // Of the whole part, also below the header.
    await expect(part).toBeInViewport({ ratio: 1 });
  }
  const header = await chat.window.locator('.header').boundingBox();
  // Not at its very edge.
  expect((await first.boundingBox())?.y).toBeGreaterThan(
    (header?.y ?? 0) + (header?.height ?? Number.NaN) + 4,
  );

  await page.setViewportSize({ width: 390, height: 380 });
  for (const name of ['E-mail', 'Name']) {
    await card.getByLabel(name).focus();
    for (const label of ['Send', 'Decline']) await expect(button(card, label)).toBeInViewport({ ratio: 1 });
    const [field, send] = [
      await card.getByLabel(name).boundingBox(),
      await button(card, 'Send').boundingBox(),
    ];
    expect((field?.y ?? Number.NaN) + (field?.height ?? 0), name).toBeLessThanOrEqual(send?.y ?? 0);
  }
});

test('a form is declined without its fields', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.instructBot(form);
  const card = cardIn(page, 'Where shall we send it?');
  await button(card, 'Decline').click();
  await expect(result(card)).toHaveText('DeclinedWhere shall we send it?');
  await expect.poll(() => received(chat)).toEqual(['cancelled visitor undefined']);
});

test('an answer in another tab is announced, and the focus stays in the card', async ({ chat, page }) => {
  await recordAnnouncements(page);
  await chat.startConversation();
  await chat.instructBot(approval);
  await button(cardIn(page), /^Approve/).focus();
  const second = await openTab(chat);
  await second.launcher.click();
  await button(cardIn(second.page), /^Decline/).click();
  await expect(result(cardIn(second.page))).toHaveText('DeclinedSend the mail');
  await expect(result(cardIn(page))).toHaveText('DeclinedSend the mail');
  await expect(result(cardIn(page))).toBeFocused();
  await expect.poll(() => announcements(page)).toContain(`polite: Declined: ${question}`);
  await expect.poll(() => received(chat)).toEqual([refused]);
});

test('a visitor who sends another message does not answer the question', async ({ chat, page }) => {
  await recordAnnouncements(page);
  await chat.startConversation();
  await chat.instructBot(approval);
  await expect(button(cardIn(page), /^Approve/)).toBeVisible();
  await chat.send('What does it cost?');
  await expect(result(cardIn(page))).toHaveText('Not answeredSend the mail');
  await expect(chat.input).toBeFocused();
  await expect.poll(() => received(chat)).toEqual(['cancelled superseded undefined']);
  expect((await announcements(page)).filter((text) => text.includes('Not answered'))).toEqual([]);
});

test('an answer that is sent again does not take the focus from a text', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.instructBot(confirmation);
  const release = await holdRequests(page, responseAddress);
  await page.route(responseAddress, (route) => route.abort(), { times: 1 });
  const card = cardIn(page);
  await button(card, 'Yes').click();
  await button(card, 'Try again: Yes').click();
  await chat.input.fill('Meanwhile');
  release();
  await expect(result(card)).toHaveText(`Yes${question}`);
  await expect(chat.input).toBeFocused();
  chat.ignoreConsoleErrors('ERR_FAILED');
});

test('the focus moves into the card if the pressed button did not get it', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.instructBot(confirmation);
  // As in Safari, which focuses what can have the focus around the button.
  await button(cardIn(page), 'Yes').evaluate((pressed: HTMLElement) => {
    pressed.closest<HTMLElement>('.viewport')?.focus();
    pressed.click();
  });
  await expect(result(cardIn(page))).toHaveText(`Yes${question}`);
  await expect(result(cardIn(page))).toBeFocused();
});

test('without its bundle a question is text, which another text settles', async ({ chat, page }) => {
  await page.route(/\/interactive-\w+\.js$/, (route) => route.abort());
  await chat.startConversation();
  await chat.instructBot(approval);
  const answer = chat.botRows.last();
  await expect(answer).toContainText('The mail is ready.');
  await expect(answer).toContainText(question);
  await expect(cardIn(page)).toHaveCount(0);
  await chat.send('No');
  await expect.poll(() => received(chat)).toEqual(['cancelled superseded undefined']);
  chat.ignoreConsoleErrors(/Failed to load resource|interactive-/);
});

test('hostile texts stay text, and long ones fit the window', async ({ chat, page }) => {
  await chat.startConversation();
  const evil = '<img src=x onerror="window.evil=1"><script>window.evil=1</script>';
  const long = 'w'.repeat(250);
  const properties = {
    [evil]: { type: 'string', title: evil, description: long },
    __proto__2: { type: 'string', enum: [evil, long] },
    constructor: { type: 'array', title: long, items: { enum: [evil, long] } },
  };
  await chat.instructBot({
    stream: [{ tool: { name: long, title: evil, input: { [long]: evil } } }],
    ask: [
      { reason: 'tool_call', message: `${evil} ${long}`, tool: long },
      { reason: 'input_required', message: long, responseSchema: { type: 'object', properties } },
    ],
  });
  await expect(chat.window.locator('.ask')).toHaveCount(2);
  expect(await chat.window.locator('.ask').locator('img, script').count()).toBe(0);
  expect(await page.evaluate(() => 'evil' in window)).toBe(false);
  const overflow = await chat.window.locator('.viewport').evaluate((e) => e.scrollWidth - e.clientWidth);
  expect(overflow).toBe(0);
  const card = chat.window.locator('.ask').last();
  await card.getByRole('textbox').fill(evil);
  await button(card, 'Send').click();
  await expect(result(card)).toContainText(`Answered${evil}`);
  await result(card).click();
  await expect(card.getByRole('definition').first()).toHaveText(evil);
  expect(await chat.window.locator('.ask').locator('img, script').count()).toBe(0);
});
