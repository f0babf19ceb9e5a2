// Draws states: enters them in a page, and writes a picture of each in every look.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Browser, Page } from '@playwright/test';
import { type HostSite, pageHtml } from '../support/host-page.ts';
import type { PlatformServer } from '../support/server.ts';
import { createLooks, type Look, looks } from './looks.ts';
import type { Shop } from './shop.ts';
import { allFeatures, InstructedChat } from './stage.ts';
import type { Scene, Stage, State, Surface } from './state.ts';
import { isOfWidget } from './states.ts';

/** The time on the clocks of pages and servers. */
export const screensTime = '2026-03-10T09:41:00Z';

const nameOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
/** The path of a picture below the folder of all pictures. */
export const pictureOf = (surface: Surface, state: State, look: Look): string =>
  `${nameOf(surface)}/${nameOf(state.name)}.${nameOf(look.name)}.png`;
/** The path of the reason for which there is no picture. */
export const problemOf = (surface: Surface, state: State): string =>
  `${nameOf(surface)}/${nameOf(state.name)}.txt`;

export const looksOf = (surface: Surface, { isForced }: State): Look[] =>
  looks.filter((look) => (!look.locale || isOfWidget(surface)) && (!look.isForced || isForced));

/** The page around the chat: a shop with both schemes. */
const site = {
  head: `<style>
    :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
    body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
  </style>`,
  body: '<p>Bicycles, lamps and helmets, delivered within three days.</p><p>Questions? Our chat is open.</p>',
};

export interface Drawing {
  browser: Browser;
  platform: PlatformServer;
  shop: Shop;
  host: HostSite;
  /** Where the pictures are written. */
  folder: string;
  /** Draws only the states whose surface and name contain it. */
  only: string;
  /** Draws only the looks whose name contains it. */
  look: string;
  onDrawn(surface: Surface, state: State, problem?: string): void;
}

export const isWanted = (surface: Surface, { name }: State, only: string): boolean =>
  `${surface} ${name}`.toLowerCase().includes(only.toLowerCase());

/** Draws a scene up to its last wanted state. */
export async function drawScene(scene: Scene, drawing: Drawing): Promise<void> {
  const { surface, states, isSeparate } = scene;
  const { folder, only, look: wantedLook, onDrawn } = drawing;
  const isDrawn = (state: State) => isWanted(surface, state, only);
  const last = states.findLastIndex(isDrawn);
  if (last < 0) return;
  const needed = states.slice(0, last + 1).filter((state) => !isSeparate || isDrawn(state));
  const { stage, close } = await openStage(drawing);
  const show = await createLooks(stage.page);
  let begun = false;
  let broken = '';
  for (const state of needed) {
    let problem = broken;
    try {
      if (problem) throw new Error(problem);
      if (!begun || isSeparate) await scene.begin(stage);
      begun = true;
      await state.enter(stage);
      for (const look of isDrawn(state) ? looksOf(surface, state) : []) {
        if (!look.name.toLowerCase().includes(wantedLook.toLowerCase())) continue;
        await show(look);
        const file = join(folder, pictureOf(surface, state, look));
        await mkdir(dirname(file), { recursive: true });
        await writeFile(
          file,
          await takePicture(stage.page, isOfWidget(surface) && !look.isPhone && !state.isWhole),
        );
      }
      await show();
      await state.leave?.(stage);
    } catch (error) {
      problem = stripVTControlCharacters(String(error instanceof Error ? error.message : error));
      // The states after it need it, unless each begins anew.
      if (!isSeparate) broken = `The state before it failed: ${state.name}`;
      await show().catch(() => {});
      await stage.page.unrouteAll({ behavior: 'ignoreErrors' });
    }
    if (!isDrawn(state)) continue;
    const note = join(folder, problemOf(surface, state));
    await mkdir(dirname(note), { recursive: true });
    if (problem) await writeFile(note, problem);
    else await rm(note, { force: true });
    onDrawn(surface, state, problem);
  }
  await close();
}

async function openStage({ browser, platform, shop, host }: Drawing) {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.clock.setFixedTime(screensTime);
  const chat = new InstructedChat(page, '', platform);
  const load = async (attributes = '') => {
    if (page.url().startsWith(host.url)) await page.evaluate(() => localStorage.clear());
    const html = pageHtml(
      `<script src="${platform.chatUrl}/webchat.js" data-theme-mode="auto" ${allFeatures} ${attributes}></script>`,
      site,
    );
    // Several pages are loaded at the same time, and each has a path of its own.
    await page.goto(host.page(`/${crypto.randomUUID()}`, html, {}));
  };
  const stage: Stage = { page, chat, platform, shop, load };
  return { stage, close: () => context.close() };
}

/** A picture of the page when it has come to rest. `isCorner`: only the corner with the chat. */
async function takePicture(page: Page, isCorner: boolean): Promise<Buffer> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const corner = { x: width - 480, y: 0, width: 480, height };
  let before: Buffer | undefined;
  for (let i = 0; i < 8; i++) {
    await page.evaluate(settle);
    const picture = await page.screenshot({ animations: 'disabled', ...(isCorner && { clip: corner }) });
    if (before?.equals(picture)) break;
    before = picture;
  }
  return before ?? Buffer.alloc(0);
}

/** In the page: waits for pictures and fonts, and replaces ids, tokens and ports, which differ in each run. */
async function settle(): Promise<void> {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
  }
  const fixed = (text: string) =>
    text
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:3000')
      .replace(/\b([a-z]{2,9}_)[\w-]{12,}/g, '$10123456789abcdef');
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      const text = fixed(node.data);
      if (text !== node.data) node.data = text;
    }
    for (const input of root.querySelectorAll<HTMLInputElement>('input[readonly], textarea[readonly]'))
      input.value = fixed(input.value);
    const images = [...root.querySelectorAll('img')].filter(({ loading }) => loading !== 'lazy');
    await Promise.all(images.map((image) => image.decode().catch(() => {})));
  }
  await document.fonts.ready;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}
