// axe and target sizes in every state of the window, in every look. A page goes through all states, and through its looks in
// each of them.
import type { BrowserContextOptions, Page } from '@playwright/test';
import type { Configuration } from '../../src/protocol/page-api/config.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { PluralForms } from '../../src/widget/i18n/catalogue.ts';
import { chat as chatWords } from '../../src/widget/i18n/en/chat.ts';
import { details } from '../../src/widget/i18n/en/details.ts';
import { emoji } from '../../src/widget/i18n/en/emoji.ts';
import { extras } from '../../src/widget/i18n/en/extras.ts';
import { homeScreen } from '../../src/widget/i18n/en/home.ts';
import { interrupt } from '../../src/widget/i18n/en/interrupt.ts';
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
  ...details,
  ...interrupt,
};
const inEveryNumber = (text: string | PluralForms) =>
  typeof text === 'string'
    ? text
    : { ...text, zero: text.other, two: text.other, few: text.other, many: text.other };
const english = JSON.stringify(
  Object.fromEntries(Object.entries(sourceStrings).map(([key, text]) => [key, inEveryNumber(text)])),
).replaceAll("'", '&#39;');

/** A way to draw the same elements. */
interface Look {
  name: string;
  configuration?: Configuration;
  media?: Parameters<Page['emulateMedia']>[0];
}

/** A page that goes through all states, and in each of them through its looks. The first look is that of the page. */
interface Walk {
  name: string;
  attributes?: string;
  dir?: 'rtl';
  use?: Pick<BrowserContextOptions, 'viewport' | 'hasTouch' | 'isMobile'>;
  looks: Look[];
}
/** What the looks of a walk change, as it is by default. */
const usual = {
  themeMode: 'light',
  variant: 'solid',
  headerVariant: 'glass',
  density: 'comfortable',
  textSize: 15,
} as const;
const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
const walks: Walk[] = [
  {
    name: 'on a desktop',
    looks: [
      { name: 'light' },
      { name: 'light, solid header', configuration: { headerVariant: 'solid', variant: 'soft' } },
      { name: 'dark', configuration: { themeMode: 'dark' } },
      { name: 'dark, solid header', configuration: { themeMode: 'dark', headerVariant: 'solid' } },
      { name: 'compact', configuration: { density: 'compact', textSize: 12 } },
      { name: 'forced colours', media: { forcedColors: 'active' } },
      { name: 'more contrast', media: { contrast: 'more' } },
    ],
  },
  {
    name: 'right to left',
    dir: 'rtl',
    attributes: `data-strings='${english}'`,
    looks: [{ name: 'right to left' }],
  },
  {
    name: 'at 400 %',
    use: { viewport: { width: 320, height: 256 } },
    looks: [{ name: 'at 400 %' }, { name: 'large text at 400 %', configuration: { textSize: 24 } }],
  },
  {
    name: 'on a phone',
    use: phone,
    looks: [{ name: 'phone' }, { name: 'compact on a phone', configuration: { density: 'compact' } }],
  },
];

const setLook = async (page: Page, { configuration = {}, media = {} }: Look) => {
  await page.emulateMedia({ forcedColors: 'none', contrast: 'no-preference', ...media });
  await page.evaluate((given) => (window.platform as Platform).config({ configuration: given }), {
    ...usual,
    ...configuration,
  });
};

/**
 * Every visible element of the widget with its attributes, except those that only styles read. They are the same in every
 * look of a state, so that rules on elements and attributes need one check.
 */
function elements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
    // Announcements come and go, the list of emoji contains those in view, and "new message" depends on what is in view.
    const elements = [...root.querySelectorAll('*')].filter(
      (one) =>
        one.checkVisibility({ visibilityProperty: true }) &&
        !one.closest('.live p, [role="row"], [part~="pill"]'),
    );
    return elements.map((element) => {
      const attributes = [...element.attributes]
        .filter(({ name }) => name !== 'class' && name !== 'style' && !name.startsWith('data-'))
        .map(({ name, value }) => `${name}="${value}"`);
      return `<${[element.localName, ...attributes].join(' ')}>`;
    });
  });
}

/** Controls that are smaller than `pixels` in one direction. Links in running text are exempt. */
function smallTargets(page: Page, pixels: number): Promise<string[]> {
  return page.evaluate((least) => {
    const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
    return [...root.querySelectorAll<HTMLElement>('button, a[href], select, textarea, input')].flatMap(
      (control) => {
        // A click on its label is one on the box.
        const { width, height } = (control.closest('label') ?? control).getBoundingClientRect();
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

for (const { name, attributes = '', dir, use = {}, looks } of walks) {
  test.describe(name, () => {
    test.use(use);

    test(`axe finds no violation and targets are large enough in every state of the window: ${looks.map((look) => look.name).join('; ')}`, async ({
      chat,
      page,
      serve,
      platform,
    }) => {
      // Each state in each look: as long as so many tests.
      test.setTimeout(600_000);
      // axe injects a script, which the strict policy would block, so this page has no policy.
      const tag = `<script src="${platform.chatUrl}/webchat.js" ${allFeatures} ${attributes}></script>`;
      const html = pageHtml(tag, { body: '<main><h2>Content</h2></main>' });
      await chat.goto(serve('/axe', dir ? html.replace('lang="en"', `lang="ar" dir="${dir}"`) : html, {}));
      const found: Record<string, string[]> = {};
      for (const state of windowStates) {
        await state.enter(chat, page);
        for (const [index, look] of state.stays ? [] : looks.entries()) {
          const drawn = index > 0 ? await elements(page) : [];
          if (index > 0) await setLook(page, look);
          // What changes by itself, such as a message that is being sent, is checked by all rules.
          const isRedrawn =
            index > 0 &&
            (await expect
              .poll(() => elements(page), { timeout: 2_000 })
              .toEqual(drawn)
              .then(
                () => true,
                () => false,
              ));
          const faults = [
            ...(await violations(page, undefined, { isRedrawn })),
            ...(await smallTargets(page, use.hasTouch ? 44 : 24)),
          ];
          if (faults.length > 0) found[`${state.name}, ${look.name}`] = faults;
          if (process.env.SHOTS) {
            await page.screenshot({
              path: `${process.env.SHOTS}/${look.name}-${state.name}.png`.replaceAll(' ', '_'),
            });
          }
        }
        if (!state.stays && looks[0] && looks.length > 1) await setLook(page, looks[0]);
        await state.leave?.(chat, page);
      }
      expect(found).toEqual({});
      chat.ignoreConsoleErrors(/Failed to load resource|Not allowed to load|could not be loaded/);
    });
  });
}
