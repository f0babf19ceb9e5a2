// Dialogs of the page that keep the focus, and shortcuts of the page: the chat is used while they are there.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';

const field = (page: Page) => page.locator('#field');
const host = (page: Page) => page.locator('platform-webchat');

/** Adds a dialog of the page with a field, which has the focus. */
const addDialog = (page: Page, tag: 'div' | 'dialog' = 'div') =>
  page.evaluate((name) => {
    const dialog = document.createElement(name);
    dialog.id = 'dialog';
    dialog.setAttribute('role', 'dialog');
    const input = Object.assign(document.createElement('input'), { id: 'field' });
    dialog.append(input, Object.assign(document.createElement('button'), { textContent: 'OK' }));
    document.body.appendChild(dialog);
    input.focus();
  }, tag);

/** The keyboard writes into the chat, Tab stays in it, and the field of the page gets nothing. */
async function expectUsable(chat: ChatPage, page: Page): Promise<void> {
  await chat.openWindow();
  await page.keyboard.type('Typed');
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press('Shift+Tab');
    expect(await host(page).evaluate((element) => element === document.activeElement)).toBe(true);
  }
  await chat.input.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' at once');
  await expect(chat.input).toHaveValue('Typed at once');
  await page.keyboard.press('Enter');
  await expect(chat.botRows.filter({ hasText: 'You said: “Typed at once”' })).toHaveCount(1);
  await expect(field(page)).toHaveValue('');
}

/** Activates the focus trap of the library on the dialog. */
async function activateTrap(page: Page, options: object): Promise<void> {
  for (const file of ['tabbable/dist/index.umd.min.js', 'focus-trap/dist/focus-trap.umd.min.js'])
    await page.evaluate(await readFile(`node_modules/${file}`, 'utf8'));
  await page.evaluate((options) => {
    const { focusTrap } = window as unknown as {
      focusTrap: { createFocusTrap(element: string, options: object): { activate(): void } };
    };
    focusTrap.createFocusTrap('#dialog', options).activate();
  }, options);
  await expect(field(page)).toBeFocused();
}

test('a visitor writes while focus-trap keeps the focus in a dialog of the page', async ({ chat, page }) => {
  await chat.goto();
  await addDialog(page);
  await activateTrap(page, { allowOutsideClick: true });
  await expectUsable(chat, page);
  // The trap of the page still works for the page.
  await page.evaluate(() => document.querySelector('a')?.focus());
  await expect(field(page)).toBeFocused();
});

for (const [name, trap] of Object.entries({
  'on focusin of the document (MUI, React Aria)': `document.addEventListener('focusin', contain);
    setInterval(() => document.activeElement.tagName === 'BODY' && input.focus(), 50);`,
  'on focus of the document (Angular CDK)': `document.addEventListener('focus', contain, true);`,
  'on focus of the window, from a dialog that opens later (Headless UI)': `addEventListener('focus', contain, true);`,
  'on focusout of the field (Radix)': `dialog.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && !dialog.contains(relatedTarget)) input.focus(); });`,
})) {
  test(`a visitor writes while the page enforces the focus ${name}`, async ({ chat, page }) => {
    await chat.goto();
    await addDialog(page);
    await page.evaluate(`{ const dialog = document.querySelector('#dialog'), input = document.querySelector('#field');
      const contain = ({ target }) => { if (target instanceof Element && !dialog.contains(target)) input.focus(); };
      ${trap} }`);
    await expectUsable(chat, page);
  });
}

test('a visitor writes while a modal dialog of the page is open, and goes on after it', async ({
  chat,
  page,
}) => {
  await chat.goto();
  await addDialog(page, 'dialog');
  await page.evaluate(() => {
    const dialog = document.querySelector('#dialog') as HTMLDialogElement;
    // The usual way to close a dialog by a click beside it.
    dialog.addEventListener(
      'click',
      ({ clientX }) => clientX > dialog.getBoundingClientRect().right && dialog.close(),
    );
    dialog.showModal();
  });
  await expectUsable(chat, page);
  const isOpen = () => page.evaluate(() => (document.querySelector('#dialog') as HTMLDialogElement).open);
  expect(await isOpen()).toBe(true);
  await chat.input.fill('Half a');
  // Escape closes the window, and not the dialog.
  await chat.input.press('Escape');
  await expect(chat.window).toBeHidden();
  expect(await isOpen()).toBe(true);
  await chat.launcher.click();
  await page.evaluate(() => (document.querySelector('#dialog') as HTMLDialogElement).close());
  await expect(page.locator('html > platform-webchat')).toHaveCount(1);
  await expect(chat.input).toHaveValue('Half a');
  await chat.exchange('After the dialog');
});

test('the chat follows dialogs in dialogs, and stays when the page removes one', async ({ chat, page }) => {
  await chat.startConversation();
  await page.evaluate(() => {
    for (const id of ['one', 'two']) {
      const dialog = Object.assign(document.createElement('dialog'), { id });
      document.body.appendChild(dialog);
      dialog.showModal();
    }
  });
  await expect(page.locator('#two > platform-webchat')).toHaveCount(1);
  await chat.exchange('In the second');
  await page.evaluate(() => document.querySelector('#two')?.remove());
  await expect(page.locator('#one > platform-webchat')).toHaveCount(1);
  await chat.exchange('In the first');
  await page.evaluate(() => (document.querySelector('#one') as HTMLDialogElement).close());
  await expect(page.locator('html > platform-webchat')).toHaveCount(1);
  await chat.exchange('In the page');
  await chat.call('destroy');
  await expect(host(page)).toHaveCount(0);
});

test('a chat that starts while a modal dialog is open is in it', async ({ chat, page }) => {
  await chat.goto();
  await chat.call('destroy');
  await addDialog(page, 'dialog');
  await page.evaluate(() => {
    (document.querySelector('#dialog') as HTMLDialogElement).showModal();
    (window.platform as Platform).init();
  });
  await expect(page.locator('#dialog > platform-webchat')).toHaveCount(1);
  await expectUsable(chat, page);
});

test('keys that are pressed in the chat reach no shortcut of the page', async ({ chat, page }) => {
  await chat.goto();
  await page.evaluate(() => {
    Object.assign(window, { pressed: [] });
    for (const [place, capture] of [
      [window, true],
      [document, true],
      [document, false],
      [window, false],
    ] as const) {
      for (const type of ['keydown', 'keypress', 'keyup']) {
        place.addEventListener(
          type,
          (event) => {
            (window as unknown as { pressed: string[] }).pressed.push((event as KeyboardEvent).key);
            event.preventDefault();
          },
          { capture },
        );
      }
    }
  });
  const pressed = () => page.evaluate(() => (window as unknown as { pressed: string[] }).pressed);
  await chat.launcher.focus();
  await page.keyboard.press('Enter');
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  await page.keyboard.type('?k');
  await expect(chat.input).toHaveValue('?k');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('ArrowUp');
  // The keys of the messages, where nothing is typed, are the chat's as well.
  await chat.window.locator('.viewport').focus();
  await page.keyboard.press('k');
  await page.keyboard.press('Escape');
  await expect(chat.window).toBeHidden();
  expect(await pressed()).toEqual([]);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('k');
  expect((await pressed()).filter((key) => key === 'k').length).toBeGreaterThan(0);
});

test('a field of the page that loses its focus to the chat reports it to the page', async ({
  chat,
  page,
}) => {
  await chat.goto();
  await addDialog(page);
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { left: seen });
    for (const type of ['blur', 'focusout'])
      document.querySelector('#field')?.addEventListener(type, () => seen.push(type));
  });
  await chat.openWindow();
  expect(await page.evaluate(() => (window as unknown as { left: string[] }).left)).toEqual([
    'blur',
    'focusout',
  ]);
});
