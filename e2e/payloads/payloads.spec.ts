// Payloads other than text: how each is displayed, operated and answered.
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { strictCsp } from '../support/host-page.ts';

test.use({ env: scriptedBot, csp: strictCsp('PLATFORM', { media: true }) });

const media = (chat: { platform: { url: string } }, name: string) =>
  `${chat.platform.url}/demo/media/${name}`;

test.describe('in a compact window', () => {
  test.use({ attributes: 'data-density="compact"' });

  test('a picture extends to the edges of its bubble, as in other windows', async ({ chat }) => {
    await chat.startConversation();
    const row = await chat.botReplies({
      type: 'image',
      imageUrl: media(chat, 'photo.svg'),
      title: 'A drawing',
    });
    // The padding of other messages.
    await expect(chat.botRows.first().locator('.bubble')).toHaveCSS('padding', '6px 12px');
    const widths = () =>
      row.evaluate((e) => ['.bubble', 'img'].map((name) => e.querySelector(name)?.clientWidth));
    await expect.poll(widths).toEqual([280, 280]);
  });
});

test('an image reserves its space, and is enlarged by mouse and keyboard', async ({ chat, page }) => {
  await chat.startConversation();
  const release = await holdRequests(page, '**/photo.svg');
  const row = await chat.botReplies({
    type: 'image',
    imageUrl: media(chat, 'photo.svg'),
    title: 'A drawing',
  });
  const picture = row.getByRole('button', { name: 'A drawing, enlarge' });
  await expect(picture).toBeVisible();
  // The extras chunk has loaded, which makes the row taller, and the newest message is in view again. Only the picture
  // is missing.
  await expect(row.locator('.acts')).toBeAttached();
  await (await row.elementHandle())?.waitForElementState('stable');
  const rounded = async () => Object.values((await row.boundingBox()) ?? {}).map(Math.round);
  const before = await rounded();
  release();
  const img = picture.locator('img');
  await expect.poll(() => img.evaluate((e: HTMLImageElement) => e.naturalWidth)).toBeGreaterThan(0);
  await expect(row.locator('figure')).toHaveAttribute('data-loading', 'false');
  expect(await rounded()).toEqual(before);
  await expect(img).toHaveAttribute('alt', 'A drawing');
  await expect(img).toHaveAttribute('referrerpolicy', 'no-referrer');

  await picture.focus();
  await page.keyboard.press('Enter');
  const large = page.getByRole('dialog', { name: 'A drawing' });
  await expect(large).toBeVisible();
  expect((await large.boundingBox())?.width).toBe(page.viewportSize()?.width);
  // The rest of the page is inert: not even a script can focus it.
  await chat.input.evaluate((e) => e.focus());
  await expect(large.getByRole('button', { name: 'Close picture' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(large).toHaveCount(0);
  await expect(chat.window).toBeVisible();
  await expect(picture).toBeFocused();
  await picture.click();
  await large.click();
  await expect(large).toHaveCount(0);

  // The page closes the chat while a picture is enlarged; the page must then be usable again.
  await picture.click();
  await expect(large).toBeVisible();
  await page.evaluate(() =>
    (window.platform as import('../../src/protocol/page-api/page-api.ts').Platform).close(),
  );
  await page.getByRole('link', { name: 'A link of the page' }).click();
  await expect(page).toHaveURL(/#there$/);
});

test('audio and video load nothing before they are played', async ({ chat }) => {
  await chat.startConversation();
  const audio = await chat.botReplies({ type: 'audio', audioUrl: media(chat, 'tone.wav'), title: 'A tone' });
  const video = await chat.botReplies({ type: 'video', videoUrl: media(chat, 'clip.webm') });
  await expect(audio.getByRole('button', { name: 'Play: A tone' })).toBeVisible();
  await expect(audio.getByText('A tone')).toBeVisible();
  await expect(video.locator('video')).toHaveAttribute('controls', '');
  await chat.send('And then?');
  await expect(chat.botRows.last()).toContainText('And then?');
  expect(chat.requests.filter((url) => /tone|clip/.test(url))).toEqual([]);
  await audio.getByRole('button', { name: 'Play: A tone' }).click();
  await expect.poll(() => chat.requests.filter((url) => url.includes('tone'))).not.toEqual([]);
});

test('audio is played and moved by keyboard alone', { tag: '@story' }, async ({ chat, page }) => {
  await chat.startConversation();
  const row = await chat.botReplies({ type: 'audio', audioUrl: media(chat, 'tone.wav'), title: 'A tone' });
  const sound = row.locator('audio');
  await sound.evaluate((e: HTMLAudioElement) => {
    // So that it does not end during the test.
    e.loop = e.muted = true;
  });
  const position = row.getByRole('slider', { name: 'A tone' });
  await expect(position).toBeDisabled();
  await row.getByRole('button', { name: 'Play: A tone' }).focus();
  await page.keyboard.press('Enter');
  const pause = row.getByRole('button', { name: 'Pause: A tone' });
  await expect(pause).toBeFocused();
  await expect.poll(() => sound.evaluate((e: HTMLAudioElement) => e.currentTime)).toBeGreaterThan(0);
  await page.keyboard.press('Enter');
  await expect(row.getByRole('button', { name: 'Play: A tone' })).toBeFocused();
  expect(await sound.evaluate((e: HTMLAudioElement) => e.paused)).toBe(true);
  await page.keyboard.press('Tab');
  await expect(position).toBeFocused();
  await page.keyboard.press('Home');
  await expect.poll(() => sound.evaluate((e: HTMLAudioElement) => e.currentTime)).toBe(0);
  await expect(position).toHaveAttribute('aria-valuetext', /^00:00 \/ 00:0\d$/);
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight');
  await expect.poll(() => sound.evaluate((e: HTMLAudioElement) => e.currentTime)).toBeGreaterThan(0);
});

test('media that cannot be loaded show their name and a link', async ({ chat }) => {
  await chat.startConversation();
  const image = await chat.botReplies({ type: 'image', imageUrl: media(chat, 'none.png'), title: 'Gone' });
  await expect(image.getByRole('link', { name: 'Gone' })).toHaveAttribute('href', media(chat, 'none.png'));
  const video = await chat.botReplies({ type: 'video', videoUrl: media(chat, 'none.webm') });
  await video.locator('video').evaluate((e: HTMLVideoElement) => e.play().catch(() => {}));
  await expect(video.getByRole('link')).toHaveAttribute('href', media(chat, 'none.webm'));
  // Error responses cannot be loaded by an <img> of another origin (Cross-Origin-Resource-Policy).
  chat.ignoreConsoleErrors(/404|ERR_BLOCKED_BY_RESPONSE/);
});

test('a file is a link with its name, and a location is a link without a map', async ({ chat }) => {
  await chat.startConversation();
  const file = await chat.botReplies({ type: 'file', fileUrl: media(chat, 'gu%C3%ADde.txt') });
  await expect(file.getByRole('link', { name: 'guíde.txt' })).toHaveAttribute('target', '_blank');
  await expect(file.getByRole('link')).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  const row = await chat.botReplies({
    type: 'location',
    latitude: 46.9481,
    longitude: 7.4474,
    title: 'Zytglogge',
    address: 'Bern',
  });
  const link = row.getByRole('link', { name: /Zytglogge.*Bern.*46\.94810, 7\.44740/ });
  await expect(link).toHaveAttribute(
    'href',
    /^https:\/\/www\.openstreetmap\.org\/\?mlat=46\.9481&mlon=7\.4474/,
  );
  const bare = await chat.botReplies({ type: 'location', latitude: 0, longitude: -180 });
  await expect(bare.getByRole('link')).toContainText('0.00000, -180.00000');
  const hosts = chat.requests.map((url) => new URL(url).host);
  expect(hosts.filter((host) => !host.startsWith('127.0.0.1'))).toEqual([]);
});

test('card buttons send label and value and stay usable, and URL actions are links', {
  tag: '@story',
}, async ({ chat }) => {
  await chat.startConversation();
  const card = await chat.botReplies({
    type: 'card',
    title: 'Basic plan',
    subtitle: 'For one website',
    imageUrl: media(chat, 'photo.svg'),
    extra: { kept: true },
    actions: [
      { action: 'postback', label: 'Choose', value: 'plan:basic' },
      { action: 'say', label: 'Ask', value: 'What is in it?' },
      { action: 'url', label: 'Look', value: 'https://example.com/basic' },
      { action: 'url', label: 'Trap', value: 'javascript:alert(1)' },
      { action: 'url', label: 'Call', value: 'tel:+123' },
    ],
  });
  await expect(card.getByRole('link', { name: 'Look' })).toHaveAttribute('href', 'https://example.com/basic');
  await expect(card.getByRole('link', { name: 'Look' })).toHaveAttribute(
    'rel',
    'noopener noreferrer nofollow',
  );
  await expect(card.getByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:+123');
  await expect(card.getByText('Trap')).toBeVisible();
  await expect(card.getByRole('link', { name: 'Trap' })).toHaveCount(0);
  for (const [name, value] of [
    ['Choose', 'plan:basic'],
    ['Ask', 'What is in it?'],
    ['Choose', 'plan:basic'],
  ] as const) {
    const button = card.getByRole('button', { name, exact: true });
    await button.click();
    await expect(chat.botRows.last()).toContainText(
      `received text ${JSON.stringify({ type: 'text', text: name, value })}`,
    );
    await expect(button).toBeEnabled();
  }
  const bare = await chat.botReplies({ type: 'card', title: 'Nothing to press', actions: [] });
  await expect(bare.getByText('Nothing to press')).toBeVisible();
});

test('a carousel moves by buttons and by keyboard and stops at its ends', { tag: '@story' }, async ({
  chat,
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await chat.startConversation();
  // Items with and without a type.
  const row = await chat.botReplies({
    type: 'carousel',
    items: [1, 2, 3].map((n) => ({
      ...(n === 2 ? { type: 'card' } : {}),
      title: `Card ${n}`,
      imageUrl: media(chat, 'photo.svg'),
      actions: [{ action: 'say', label: `Take ${n}`, value: `${n}` }],
    })),
  });
  const strip = row.getByRole('list', { name: 'Cards' });
  const [previous, next] = [
    row.getByRole('button', { name: 'Previous card' }),
    row.getByRole('button', { name: 'Next card' }),
  ];
  await expect(row.getByRole('listitem')).toHaveCount(3);
  await expect(previous).toHaveAttribute('aria-disabled', 'true');
  await next.click();
  await expect.poll(() => strip.evaluate((e) => e.scrollLeft)).toBeGreaterThan(100);
  await expect(previous).toHaveAttribute('aria-disabled', 'false');
  await next.focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('Enter');
  await expect(next).toHaveAttribute('aria-disabled', 'true');
  await expect(next).toBeFocused();
  await expect(row.getByText('Card 3')).toBeInViewport({ ratio: 1 });
  await previous.click();
  await previous.click();
  await expect(previous).toHaveAttribute('aria-disabled', 'true');
  await strip.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => strip.evaluate((e) => e.scrollLeft)).toBeGreaterThan(0);
  await row.getByRole('button', { name: 'Take 2', exact: true }).press('Enter');
  await expect(chat.botRows.last()).toContainText('"value":"2"');
});

test('in right-to-left text a carousel moves to the left, and the next card is only begun at its edge', async ({
  chat,
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await chat.startConversation();
  await page.evaluate(() =>
    (window.platform as import('../../src/protocol/page-api/page-api.ts').Platform).config({
      configuration: { locale: 'ar' },
    }),
  );
  const row = await chat.botReplies({
    type: 'carousel',
    items: [1, 2, 3].map((n) => ({ title: `Card ${n}`, subtitle: 'word '.repeat(20 * n), actions: [] })),
  });
  const strip = row.locator('.carousel ul');
  await expect(strip).toHaveCSS('direction', 'rtl');
  const cards = async () => {
    const boxes = await row.locator('.carousel li').evaluateAll((all) =>
      all.map((one) => {
        const { left, right, height } = one.getBoundingClientRect();
        return { left, right, height };
      }),
    );
    const edge = await strip.evaluate((e) => e.getBoundingClientRect().left);
    return { boxes, edge };
  };
  const { boxes, edge } = await cards();
  // All as high as the highest, and what is seen of the second one has no text.
  expect(new Set(boxes.map(({ height }) => Math.round(height))).size).toBe(1);
  const seen = (boxes[1]?.right ?? 0) - edge;
  expect(seen).toBeGreaterThan(8);
  expect(seen).toBeLessThanOrEqual(17);
  await row.getByRole('button').nth(1).press('Enter');
  await expect.poll(() => strip.evaluate((e) => e.scrollLeft)).toBeLessThan(-100);
  await expect(row.getByText('Card 2')).toBeInViewport({ ratio: 1 });
});

test('a choice can be answered once and shows the chosen option, also after a reload', {
  tag: '@story',
}, async ({ chat }) => {
  await chat.startConversation();
  const question = {
    type: 'choice',
    text: 'Which colour?',
    options: ['Red', 'Blue'].map((label) => ({ label, value: label.toLowerCase() })),
  };
  const first = await chat.botReplies(question);
  const second = await chat.botReplies(question);
  await second.getByRole('button', { name: 'Blue', exact: true }).click();
  await expect(chat.botRows.last()).toContainText(
    `received text ${JSON.stringify({ type: 'text', text: 'Blue', value: 'blue' })}`,
  );
  await expect(chat.input).toBeFocused();
  for (const view of ['now', 'after a reload'] as const) {
    if (view === 'after a reload') {
      await chat.reopen();
    }
    await expect(second.getByRole('button', { name: 'Blue', exact: true }), view).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect(second.getByRole('button', { name: 'Blue', exact: true }), view).toBeDisabled();
    await expect(second.locator('[part="option"]'), view).toHaveText(['Blue']);
    // An earlier message with the same question can no longer be answered.
    await expect(first, view).toContainText('Which colour?');
    await expect(first.locator('[part="option"]'), view).toHaveCount(0);
  }
  const message = (await chat.serverMessages()).find(({ payload }) => (payload as { value?: string }).value);
  expect(message?.metadata?.answers).toMatch(/^msg_/);
});

test('a dropdown can be operated by keyboard and sent once with its button', async ({ chat, page }) => {
  await chat.startConversation();
  const row = await chat.botReplies({
    type: 'dropdown',
    text: 'Pick one:',
    options: ['One', 'Two'].map((label) => ({ label, value: label })),
  });
  const select = row.getByRole('combobox', { name: 'Pick one:' });
  await expect(row.getByRole('button', { name: 'Send' })).toBeDisabled();
  await select.focus();
  await select.selectOption('Two');
  // Selecting alone does not send, because with arrow keys the value changes at every step.
  expect(await chat.serverTexts()).not.toContain('Two');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(chat.botRows.last()).toContainText('"value":"Two"');
  await expect(select).toBeDisabled();
  await chat.reopen();
  await expect(select).toBeDisabled();
  await expect(select.locator('option:checked')).toHaveText('Two');
});

test('disableFreeText disables the text box until an option is chosen', async ({ chat }) => {
  await chat.startConversation();
  await chat.input.fill('A thought');
  const row = await chat.botReplies({
    type: 'choice',
    text: 'Yes or no?',
    disableFreeText: true,
    options: [
      { label: 'Yes', value: 'y' },
      { label: 'No', value: 'n' },
    ],
  });
  await expect(chat.input).not.toBeEditable();
  await chat.input.press('Enter');
  await expect(chat.window.getByRole('button', { name: 'Send message' })).toBeDisabled();
  await chat.reopen();
  await expect(row).toBeVisible();
  await expect(chat.input).not.toBeEditable();
  expect((await chat.serverTexts()).filter((text) => text === 'A thought')).toEqual([]);
  await row.getByRole('button', { name: 'Yes' }).click();
  await expect(chat.input).toBeEditable();
  await expect(chat.input).toHaveValue('A thought');
});

test('a bloc shows its items in order', async ({ chat }) => {
  await chat.startConversation();
  const row = await chat.botReplies({
    type: 'bloc',
    items: [
      { type: 'text', text: 'First' },
      { type: 'image', payload: { imageUrl: media(chat, 'photo.svg'), title: 'Second' } },
      { type: 'file', fileUrl: media(chat, 'guide.txt'), title: 'Third' },
    ],
  });
  await expect(row).toContainText(/First.*Second.*Third/s);
});

test('Markdown has headings, lists, tables, links and highlighted code, whose button copies it', {
  tag: '@story',
}, async ({ chat, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat.startConversation();
  const markdown = [
    '## Plans',
    'Some **bold** and *other* words, and [a link](https://example.com/plans).',
    '- one\n- two',
    '| Plan | Price |\n|---|---|\n| Basic | 5 |',
    '```js\nconst answer = 42;\n```',
  ].join('\n\n');
  const row = await chat.botReplies({ type: 'markdown', markdown });
  await expect(row.getByRole('heading', { name: 'Plans' })).toBeVisible();
  await expect(row.locator('strong')).toHaveText('bold');
  await expect(row.locator('em')).toHaveText('other');
  const link = row.getByRole('link', { name: 'a link' });
  await expect(link).toHaveAttribute('href', 'https://example.com/plans');
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  await expect(row.getByRole('listitem')).toHaveText(['one', 'two']);
  await expect(row.getByRole('cell')).toHaveText(['Basic', '5']);
  await expect(row.locator('.syn-kwd')).toHaveText('const');
  await row.locator('pre, .code').getByRole('button', { name: 'Copy' }).first().press('Enter');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('const answer = 42;');
});

test('pictures in Markdown follow the image policy, also when it changes', async ({ chat, page }) => {
  await chat.startConversation();
  const address = media(chat, 'photo.svg');
  const loads = () => chat.requests.filter((url) => url === address).length;
  const row = await chat.botReplies({ type: 'markdown', markdown: `Look: ![A bicycle](${address})` });
  const button = row.getByRole('button', { name: `Show picture from ${new URL(address).host}` });
  await expect(button).toBeVisible();
  await expect(row.getByRole('link', { name: 'A bicycle' })).toHaveAttribute('href', address);
  expect(loads()).toBe(0);
  await button.click();
  await expect(row.getByRole('img', { name: 'A bicycle' })).toBeVisible();
  await expect.poll(loads).toBe(1);
  // The chat's own origin is always allowed.
  const second = await chat.botReplies({ type: 'markdown', markdown: `![Another](${address}?2)` });
  await expect(second.getByRole('button', { name: /^Show picture/ })).toBeVisible();
  await page.evaluate(() =>
    (window.platform as import('../../src/protocol/page-api/page-api.ts').Platform).config({
      configuration: { remoteImages: 'listed' },
    }),
  );
  await expect(second.getByRole('img', { name: 'Another' })).toBeVisible();
  const foreign = await chat.botReplies({
    type: 'markdown',
    markdown: '![Spy](https://spy.example/?secret)',
  });
  await expect(foreign.getByRole('button', { name: 'Show picture from spy.example' })).toBeVisible();
  expect(chat.requests.filter((url) => url.includes('spy.example'))).toEqual([]);
});
