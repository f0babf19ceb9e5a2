// Checks of a served project: one chat that answers, a clean console, and still one chat after a change of the code.
import { readFile, writeFile } from 'node:fs/promises';
import { type Browser, expect, type Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { Project, Served } from './project.ts';

/** Milliseconds for a page of a development server, which compiles it then. */
const limit = { timeout: 180_000 };

/** Opens the chat and exchanges a message. Returns what was checked. @throws at the first difference. */
export async function checkSite(
  browser: Browser,
  { command, url, output }: Served,
  project: Project,
): Promise<string[]> {
  const isDevelopment = /^npm (start|run dev)$/.test(command);
  const checked: string[] = [];
  const html = await (await fetch(url)).text();
  expect(html, 'the page that the server renders').toMatch(/<html|<!doctype/i);
  expect(html).not.toContain('<platform-webchat');

  const context = await browser.newContext();
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (line) => {
    if (['error', 'warning'].includes(line.type())) faults.push(`${line.type()}: ${line.text()}`);
  });
  try {
    await page.goto(url, limit);
    await exchange(page, 'Hello');
    checked.push('message answered');
    if (isDevelopment) checked.push(await checkHotReload(page, project));
    expect(faults, 'errors and warnings of the console').toEqual([]);
    expect(output(), 'the output of the server').not.toMatch(
      /ReferenceError|(window|document) is not defined/,
    );
    checked.push('console clean');
    return checked;
  } finally {
    await context.close();
  }
}

async function exchange(page: Page, text: string): Promise<void> {
  const launcher = page.locator('.launcher');
  const dialog = page.getByRole('dialog', { name: /^Chat with/ });
  await expect(launcher).toBeVisible(limit);
  await expect(async () => {
    if (!(await dialog.isVisible())) await launcher.click();
    await expect(dialog).toBeVisible();
  }).toPass(limit);
  await dialog.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText(`You said: “${text}”`, limit);
  await expectOneChat(page);
}

/** StrictMode, hydration and hot reload start components twice, and must not start two chats. */
async function expectOneChat(page: Page): Promise<void> {
  await expect(page.locator('.launcher')).toHaveCount(1);
  expect(await page.evaluate(() => (window.platform as Platform).instances.length)).toBe(1);
}

/** Adds a text beside the chat, as a developer would. */
async function checkHotReload(page: Page, { file }: Project): Promise<string> {
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  const code = await readFile(file, 'utf8');
  await writeFile(file, code.replace(/^(\s*)(?=<(?:Webchat|app-chat)\b)/m, '$1<p>touched</p>\n$1'));
  await expect(page.getByText('touched', { exact: true })).toBeVisible(limit);
  // Later builds follow the recipe.
  await writeFile(file, code);
  await expect(page.getByText('touched', { exact: true })).toBeHidden(limit);
  const isSame = await page.evaluate(() => 'isSameDocument' in window);
  if (isSame) {
    await expect(page.getByRole('dialog', { name: /^Chat with/ })).toContainText('You said: “Hello”');
    await expectOneChat(page);
  } else await exchange(page, 'Again');
  return isSame ? 'hot update keeps the chat' : 'one chat after a reload';
}
