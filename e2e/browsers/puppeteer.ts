// Chromium by CDP and Firefox by WebDriver BiDi: puppeteer-core speaks both.
import puppeteer, { type ElementHandle, type LaunchOptions } from 'puppeteer-core';
import config from '../../playwright.config.ts';
import { findBrowser } from '../../scripts/browser.mjs';
import { type Driver, keysOf } from './driver.ts';

const options = {
  // The same browser, started the same way, as in the other end-to-end tests.
  chromium: { browser: 'chrome', args: config.use?.launchOptions?.args ?? [] },
  firefox: { browser: 'firefox' },
} satisfies Record<string, LaunchOptions>;

/** @throws when the browser is not there or does not start. */
export async function launchPuppeteer(engine: keyof typeof options): Promise<Driver> {
  const executablePath = findBrowser(engine);
  if (!executablePath) throw new Error(`There is no ${engine} on this machine.`);
  const browser = await puppeteer.launch({
    ...options[engine],
    executablePath,
    headless: true,
    // Who started us ends us (main.ts).
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    defaultViewport: null,
  });
  // Not the tab that is there: in Firefox the focus is in its address.
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  return {
    version: (await browser.version()).replace(/^(?:Headless)?(\w+)\//, (_, name) => `${name} `),
    goto: async (url) => void (await page.goto(url)),
    // Its types also unwrap handles, of which there are none here.
    evaluate: (run, ...args) =>
      page.evaluate(run as (...all: unknown[]) => unknown, ...args) as Promise<
        Awaited<ReturnType<typeof run>>
      >,
    click: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    async press(key) {
      const { held, name } = keysOf(key);
      if (held) await page.keyboard.down(held);
      await page.keyboard.press(name);
      if (held) await page.keyboard.up(held);
    },
    async choose(find, paths) {
      const input = (await page.evaluateHandle(find)) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(...paths);
      await input.dispose();
    },
    resize: (width, height) => page.setViewport({ width, height }),
    screenshot: () => page.screenshot(),
    close: () => browser.close(),
  };
}
