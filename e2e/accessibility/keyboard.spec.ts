// Keyboard operation: every control is reachable with a visible, uncovered focus; navigation between messages; focus traps;
// Escape.
import type { Page } from '@playwright/test';
import { payloadStates } from '../screens/answers.ts';
import { allFeatures } from '../screens/stage.ts';
import { notSent } from '../screens/window.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({ env: scriptedBot, attributes: allFeatures });

/** The focused element inside the chat: its name, whether its focus is indicated, and whether it is visible. */
function focused(page: Page): Promise<{ name: string; isMarked: boolean; isSeen: boolean } | undefined> {
  return page.evaluate(() => {
    const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
    const element = root.activeElement;
    if (!element) return undefined;
    // The focus of the text box is indicated by the outline of the composer.
    const marked = element.matches('.box-input') ? (element.closest('.composer') ?? element) : element;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(marked);
    const isMarked =
      (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) ||
      (marked !== element && boxShadow !== 'none') ||
      // Audio and video players have inner controls, whose focus the browser indicates.
      element.matches('audio, video');
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    // Whatever its place in the line, which depends on the time of the message: the button above the composer covers no part of it.
    const pill = root.querySelector('.pill')?.getBoundingClientRect();
    const isCovered =
      pill !== undefined &&
      element.matches('.act') &&
      left < pill.right &&
      right > pill.left &&
      top < pill.bottom &&
      bottom > pill.top;
    const points = [0.1, 0.5, 0.9].flatMap((x) =>
      [0.1, 0.5, 0.9].map((y) => [left + x * width, top + y * height] as const),
    );
    const isSeen =
      !isCovered &&
      points.some(([x, y]) => {
        const hit = root.elementFromPoint(x, y);
        return hit !== null && (element.contains(hit) || hit.contains(element));
      });
    return {
      name: `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`.slice(0, 60),
      isMarked,
      isSeen,
    };
  });
}

/** Presses Tab from the top of the window until the focus leaves it, and returns all focused elements. */
async function tabThrough(chat: ChatPage, key: 'Tab' | 'Shift+Tab') {
  const stops: NonNullable<Awaited<ReturnType<typeof focused>>>[] = [];
  // Ends a loop of the focus. A player has more inner controls when its file has loaded, so their number is not known.
  for (let i = 0; i < 400; i++) {
    await chat.page.keyboard.press(key);
    const stop = await focused(chat.page);
    if (!stop) break;
    stops.push(stop);
  }
  return stops;
}

const desktop = { width: 1280, height: 720 };
/** The ways in which one page is drawn. */
const looks = [
  { name: 'on a desktop', viewport: desktop, forcedColors: 'none' },
  { name: 'at 400 %', viewport: { width: 320, height: 256 }, forcedColors: 'none' },
  { name: 'in forced colors', viewport: desktop, forcedColors: 'active' },
] as const;

test.describe(() => {
  test.use({ viewport: desktop, csp: "default-src * 'unsafe-inline'" });

  test(`Tab reaches every control, its focus is seen and not covered, ${looks.map(({ name }) => name).join(', ')}`, async ({
    chat,
    page,
    platform,
  }) => {
    test.setTimeout(240_000);
    await chat.startConversation();
    const stage = { chat, page, platform, load: (attributes?: string) => chat.load(attributes) };
    // Every payload of a bot, and a message that was not sent.
    for (const { enter, leave } of [...payloadStates, notSent]) {
      await enter(stage);
      await leave?.(stage);
    }
    const window = chat.window;
    for (const { name, viewport, forcedColors } of looks) {
      await page.setViewportSize(viewport);
      // The cards of a carousel follow the focus at once.
      await page.emulateMedia({ forcedColors, reducedMotion: 'reduce' });
      // The focus in the list loads the buttons of the messages. On a busy machine Tab would pass the first ones before.
      await window.getByRole('region', { name: 'Messages' }).focus();
      await expect(window.getByRole('button', { name: /^Copy/ }).first()).toBeAttached();
      await window.evaluate((e) => e.focus());
      const forwards = await tabThrough(chat, 'Tab');
      expect(
        forwards.filter(({ isMarked, isSeen }) => !isMarked || !isSeen),
        name,
      ).toEqual([]);
      // Every control was reached, in the order of the document.
      const controls = await window.evaluate((e) =>
        [
          ...e.querySelectorAll<HTMLElement>(
            'button, a[href], select, textarea, audio, video, [tabindex="0"]',
          ),
        ]
          .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(':disabled'))
          .map((one) => `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent}`.slice(0, 60)),
      );
      // Audio and video players have inner controls.
      const distinct = forwards
        .map(({ name: stop }) => stop)
        .filter((stop, i) => !(/^(AUDIO|VIDEO)/.test(stop) && forwards[i - 1]?.name === stop));
      // Including the launcher, unless the sheet covers it.
      if (viewport.width > 480) controls.push('BUTTON Close chat');
      // It is there only while the end is out of view, so that Tab may pass it and it may be gone when it is counted.
      const isLasting = (control: string) => control !== 'BUTTON Go to the newest message';
      expect(distinct.filter(isLasting), name).toEqual(controls.filter(isLasting));
      await window.evaluate((e) => e.querySelector('textarea')?.focus());
      const backwards = await tabThrough(chat, 'Shift+Tab');
      expect(backwards.length).toBeGreaterThan(20);
      expect(
        backwards.filter(({ isMarked, isSeen }) => !isMarked || !isSeen),
        name,
      ).toEqual([]);
    }
    chat.consoleErrors = [];
  });
});

test('arrow keys, Home and End move between messages, and Tab into a message', async ({ chat, page }) => {
  await chat.startConversation();
  for (let i = 1; i <= 6; i++) await chat.botReplies({ type: 'text', text: `Answer ${i}` });
  const choice = await chat.botReplies({
    type: 'choice',
    text: 'Which?',
    options: [{ label: 'Yes', value: '1' }],
  });
  const viewport = chat.window.getByRole('region', { name: 'Messages' });
  await viewport.focus();
  await expect(chat.window.getByRole('button', { name: /^Copy/ }).first()).toBeAttached();
  await page.keyboard.press('ArrowUp');
  await expect(choice).toBeFocused();
  await expect(choice).toHaveRole('listitem');
  await expect(choice).toHaveAccessibleName(/^Bot: Which\?\s+Yes\s+\d+:\d\d/);
  expect(await focused(page)).toMatchObject({ isMarked: true, isSeen: true });
  await page.keyboard.press('ArrowDown');
  await expect(choice).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(choice.getByRole('button', { name: 'Yes' })).toBeFocused();
  // Keys that a control uses do not move between messages.
  await page.keyboard.press('ArrowUp');
  await expect(choice.getByRole('button', { name: 'Yes' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await viewport.focus();
  await page.keyboard.press('End');
  await expect(choice).toBeFocused();

  // Up to the first message, each of them in view.
  const count = await chat.rows.count();
  for (let i = count - 2; i >= 0; i--) {
    const row = chat.rows.nth(i);
    for (let tries = 0; tries < 4 && !(await row.evaluate((e) => e.matches(':focus'))); tries++) {
      await page.keyboard.press('ArrowUp');
    }
    await expect(row).toBeFocused();
    expect(await focused(page)).toMatchObject({ isMarked: true, isSeen: true });
  }
  await expect(chat.rows.first()).toHaveAccessibleName(/^Bot: I am the demo bot’s scripted double\./);
  await expect(chat.rows.nth(1)).not.toHaveAttribute('aria-labelledby');
  await expect(chat.rows.nth(1)).not.toHaveAttribute('tabindex');
  await page.keyboard.press('End');
  await expect(choice).toBeFocused();
  await page.keyboard.press('Home');
  await expect(chat.rows.first()).toBeFocused();
  expect(await viewport.evaluate((e) => e.scrollTop)).toBe(0);
  // After the focus has moved, no trace of it remains; keys with a modifier are ignored.
  await page.keyboard.press('Control+End');
  await expect(chat.rows.first()).toBeFocused();
  await chat.input.focus();
  await expect(
    chat.window.locator('.row[aria-labelledby], .row[tabindex], [id^="platform-read"]'),
  ).toHaveCount(0);
});

test('arrow keys scroll a message that is taller than the window before they move on', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  const tall = await chat.botReplies({
    type: 'text',
    text: Array.from({ length: 80 }, (_, i) => `Line ${i}`).join('\n'),
  });
  const viewport = chat.window.locator('.viewport');
  await viewport.focus();
  await expect(chat.window.getByRole('button', { name: /^Copy/ }).first()).toBeAttached();
  await page.keyboard.press('ArrowUp');
  await expect(tall).toBeFocused();
  const tops: number[] = [];
  while (await tall.evaluate((e) => e.matches(':focus'))) {
    tops.push(await viewport.evaluate((e) => e.scrollTop));
    expect(tops.length).toBeLessThan(12);
    await page.keyboard.press('ArrowUp');
  }
  // Each key press moved on, and none by more than one screen.
  const height = await viewport.evaluate((e) => e.clientHeight);
  for (const [i, top] of tops.slice(1).entries()) {
    expect(top).toBeLessThan(tops[i] ?? 0);
    expect((tops[i] ?? 0) - top).toBeLessThan(height);
  }
  expect(tops.length).toBeGreaterThan(2);
  // The beginning of the message was in view before the focus moved to the next one.
  await expect(chat.rows.nth(1)).toBeFocused();
});

test('the window is a dialog with a name; dialogs trap the focus, and Escape closes the innermost one and restores the focus', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.startConversation();
  await expect(chat.window).toHaveRole('dialog');
  await expect(chat.window).toHaveAccessibleName(/^Chat with /);
  await expect(chat.input).toHaveRole('textbox');
  await expect(chat.input).toHaveAccessibleName('Message');
  const row = chat.botRows.first();
  const answer = row.getByRole('button', { name: /^Bad answer/ });
  await answer.focus();
  await page.keyboard.press('Enter');
  const comment = chat.window.getByRole('dialog', { name: /What was wrong/ });
  await expect(comment.getByRole('textbox')).toBeFocused();
  for (const name of ['Skip', 'Send']) {
    await page.keyboard.press('Tab');
    await expect(comment.getByRole('button', { name })).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await expect(comment.getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(comment.getByRole('button', { name: 'Send' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(comment).toHaveCount(0);
  await expect(answer).toBeFocused();

  const restart = chat.window.getByRole('button', { name: 'Start a new conversation' });
  await restart.press('Enter');
  const dialog = chat.window.getByRole('alertdialog', { name: 'Start a new conversation?' });
  for (const name of ['Cancel', 'Start new', 'Cancel']) {
    await expect(dialog.getByRole('button', { name })).toBeFocused();
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Shift+Tab');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(restart).toBeFocused();

  const more = chat.window.getByRole('button', { name: 'More', exact: true });
  await more.press('Enter');
  const items = chat.window.getByRole('menuitem');
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(items.last()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(more).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(items.first()).toBeFocused();
  // Tab leaves and closes a menu.
  await page.keyboard.press('Tab');
  await expect(items).toHaveCount(0);
  await expect(restart).toBeFocused();

  await expect(chat.window).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(chat.window).toBeHidden();
  await expect(chat.launcher).toBeFocused();
});

test('a bot that opens the window does not take the focus from a field', async ({ chat, page }) => {
  await chat.startConversation();
  await page.evaluate(() => {
    const field = document.createElement('input');
    field.ariaLabel = 'Field of the page';
    document.body.append(field);
  });
  const field = page.getByRole('textbox', { name: 'Field of the page' });
  await chat.call('close');
  await field.focus();
  await page.keyboard.type('one ');
  await chat.instructBot({ show: 'show' });
  await expect(chat.window).toBeVisible();
  await page.keyboard.type('two');
  await expect(field).toHaveValue('one two');
  await expect(field).toBeFocused();
  await chat.instructBot({ show: 'hide' });
  await expect(chat.window).toBeHidden();
  await expect(field).toBeFocused();
  // If the visitor is not using the page, or opened the window, the focus moves into the window.
  await field.evaluate((e) => e.blur());
  await chat.instructBot({ show: 'toggle' });
  await expect(chat.input).toBeFocused();
  await chat.call('close');
  await field.focus();
  await chat.call('open');
  await expect(chat.input).toBeFocused();
});
