// axe and target sizes in every state of the window, in every mode. One page per mode goes through all states.
import type { BrowserContextOptions, Page } from '@playwright/test';
import type { PluralForms } from '../../src/widget/i18n/catalogue.ts';
import { chat as chatWords } from '../../src/widget/i18n/en/chat.ts';
import { emoji } from '../../src/widget/i18n/en/emoji.ts';
import { extras } from '../../src/widget/i18n/en/extras.ts';
import { homeScreen } from '../../src/widget/i18n/en/home.ts';
import { launcher, unread } from '../../src/widget/i18n/en/launcher.ts';
import { markdown } from '../../src/widget/i18n/en/markdown.ts';
import { parts } from '../../src/widget/i18n/en/parts.ts';
import { voice } from '../../src/widget/i18n/en/voice.ts';
import { violations } from '../support/axe.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';
import { allFeatures, windowStates } from '../support/window-states.ts';

/** English strings in a right-to-left window, so that the states find their controls by name. */
const sourceStrings = {
  ...launcher,
  unread,
  ...chatWords,
  ...extras,
  ...emoji,
  ...voice,
  ...markdown,
  ...homeScreen,
  ...parts,
};
const inEveryNumber = (text: string | PluralForms) =>
  typeof text === 'string'
    ? text
    : { ...text, zero: text.other, two: text.other, few: text.other, many: text.other };
const english = JSON.stringify(
  Object.fromEntries(Object.entries(sourceStrings).map(([key, text]) => [key, inEveryNumber(text)])),
).replaceAll("'", '&#39;');

interface Mode {
  name: string;
  attributes?: string;
  dir?: 'rtl';
  use?: Pick<BrowserContextOptions, 'viewport' | 'hasTouch' | 'isMobile'>;
  media?: Parameters<Page['emulateMedia']>[0];
}
const modes: Mode[] = [
  { name: 'light' },
  { name: 'light, solid header', attributes: 'data-header-variant="solid" data-variant="soft"' },
  { name: 'dark', attributes: 'data-theme-mode="dark"' },
  { name: 'dark, solid header', attributes: 'data-theme-mode="dark" data-header-variant="solid"' },
  { name: 'right to left', dir: 'rtl', attributes: `data-strings='${english}'` },
  { name: 'at 400 %', use: { viewport: { width: 320, height: 256 } } },
  { name: 'compact', attributes: 'data-density="compact" data-text-size="12"' },
  {
    name: 'compact on a phone',
    attributes: 'data-density="compact"',
    use: { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true },
  },
  {
    name: 'large text at 400 %',
    attributes: 'data-text-size="24"',
    use: { viewport: { width: 320, height: 256 } },
  },
  { name: 'forced colours', media: { forcedColors: 'active' } },
  { name: 'more contrast', media: { contrast: 'more' } },
  { name: 'phone', use: { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true } },
];

/** Controls that are smaller than `pixels` in one direction. Links in running text are exempt. */
function smallTargets(page: Page, pixels: number): Promise<string[]> {
  return page.evaluate((least) => {
    const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
    return [...root.querySelectorAll<HTMLElement>('button, a[href], select, textarea, input')].flatMap(
      (control) => {
        const { width, height } = control.getBoundingClientRect();
        // The numbers of sources are in a sentence, too (WCAG 2.5.8, 2.5.5: inline).
        const isInLine =
          (control.tagName === 'A' && getComputedStyle(control).display === 'inline') ||
          (least > 24 && control.matches('.markdown .cite'));
        const isSeen = control.checkVisibility({ visibilityProperty: true });
        if (!isSeen || isInLine || Math.min(width, height) > least - 0.01) return [];
        return `${control.getAttribute('aria-label') ?? control.textContent}: ${width} x ${height}`;
      },
    );
  }, pixels);
}

test.use({ env: scriptedBot });

for (const { name, attributes = '', dir, use = {}, media = {} } of modes) {
  test.describe(name, () => {
    test.use(use);

    test(`axe finds no violation and targets are large enough in every state of the window: ${name}`, async ({
      chat,
      page,
      serve,
      platform,
    }) => {
      test.slow();
      // axe injects a script, which the strict policy would block, so this page has no policy.
      const tag = `<script src="${platform.chatUrl}/webchat.js" ${allFeatures} ${attributes}></script>`;
      const html = pageHtml(tag, { body: '<main><h2>Content</h2></main>' });
      await page.emulateMedia(media);
      await chat.goto(serve('/axe', dir ? html.replace('lang="en"', `lang="ar" dir="${dir}"`) : html, {}));
      const found: Record<string, string[]> = {};
      for (const state of windowStates) {
        await state.enter(chat, page);
        const faults = state.stays
          ? []
          : [...(await violations(page)), ...(await smallTargets(page, use.hasTouch ? 44 : 24))];
        if (faults.length > 0) found[state.name] = faults;
        if (process.env.SHOTS && !state.stays) {
          await page.screenshot({
            path: `${process.env.SHOTS}/${name}-${state.name}.png`.replaceAll(' ', '_'),
          });
        }
        await state.leave?.(chat, page);
      }
      expect(found).toEqual({});
      chat.ignoreConsoleErrors(/Failed to load resource|Not allowed to load|could not be loaded/);
    });
  });
}
