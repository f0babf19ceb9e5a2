// Tests with a page of a site whose program uses the built packages.
import type { PluginOption } from 'vite';
import { test } from '../support/fixtures.ts';
import { bundleSite, sitePage } from '../support/site-project.ts';

interface SiteFixtures {
  /** Opens a page with the program and this body, in which CHAT is the address of the chat. `window.chatUrl` is it, too. */
  visit(body?: string, waitUntil?: 'load' | 'domcontentloaded'): Promise<void>;
}

export const siteTest = (files: Record<string, string>, plugins: PluginOption[] = []) =>
  test.extend<SiteFixtures>({
    visit: async ({ page, serve, platform }, use) => {
      const code = await bundleSite(files, plugins);
      await use(async (body = '', waitUntil = 'load') => {
        const program = `window.chatUrl = ${JSON.stringify(platform.chatUrl)};\n${code}`;
        const html = sitePage(program, body.replaceAll('CHAT', platform.chatUrl));
        await page.goto(serve('/site', html, {}), { waitUntil });
      });
    },
  });
