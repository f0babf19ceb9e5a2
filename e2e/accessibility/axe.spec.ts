// axe and target sizes in every state of the window, in every look. A page goes through all states, and through its looks in
// each of them.
import type { CDPSession, Page } from '@playwright/test';
import type { Configuration } from '../../src/protocol/page-api/config.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { closeDesk, openDesk } from '../people/desk.ts';
import { createShop, type Shop } from '../screens/shop.ts';
import { allFeatures, InstructedChat, screensEnv } from '../screens/stage.ts';
import { shopScenes, widgetScenes } from '../screens/states.ts';
import { type Drawn, violations, violationsInBothSchemes } from '../support/axe.ts';
import { expect, test } from '../support/fixtures.ts';
import { type PlatformServer, startPlatform } from '../support/server.ts';
import { english } from '../support/translated-chat.ts';

/** English strings in every language, also from right to left, so that the states find their controls by name. */
const inEveryNumber = (other: string) => ({ zero: other, two: other, few: other, many: other });
const strings = JSON.stringify(
  Object.fromEntries(
    Object.entries(english).map(([key, text]) => {
      const [name = '', form] = key.split('_');
      return [name, form ? { one: english[`${name}_one`], other: text, ...inEveryNumber(text) } : text];
    }),
  ),
).replaceAll("'", '&#39;');

/** A way to draw the same elements: what differs from the first look. */
interface Look {
  name: string;
  configuration?: Configuration;
  media?: Parameters<Page['emulateMedia']>[0];
  size?: Size;
  /** Only what differs from all looks before it. */
  checked: readonly Drawn[];
}
interface Size {
  width: number;
  height: number;
  isPhone?: boolean;
}

const desktop: Size = { width: 1280, height: 720 };
/** A page of 1280 x 1024 px at 400 %. */
const enlarged: Size = { width: 320, height: 256 };
const phone: Size = { width: 390, height: 800, isPhone: true };

/** Properties that the looks change, as they are in the first one. */
const usual: Configuration = {
  themeMode: 'light',
  variant: 'solid',
  headerVariant: 'glass',
  density: 'comfortable',
  textSize: 15,
  locale: 'en',
};

const [colors, places, both] = [['colors'], ['places'], ['colors', 'places']] as const;

/**
 * Colors do not depend on sizes and places: a look with the colors of another one, or with its places, has only the other rules.
 * Small text needs at least as much contrast, and controls of a compact window are not larger.
 */
const looks: Look[] = [
  { name: 'light', checked: both },
  {
    name: 'light, solid header, compact',
    configuration: { headerVariant: 'solid', variant: 'soft', density: 'compact', textSize: 12 },
    checked: both,
  },
  { name: 'dark, right to left', configuration: { themeMode: 'dark', locale: 'ar' }, checked: both },
  { name: 'forced colors', media: { forcedColors: 'active' }, checked: colors },
  { name: 'more contrast', media: { contrast: 'more' }, checked: colors },
  {
    name: 'dark, solid header, at 400 %',
    size: enlarged,
    configuration: { themeMode: 'dark', headerVariant: 'solid' },
    checked: both,
  },
  { name: 'large text at 400 %', size: enlarged, configuration: { textSize: 24 }, checked: places },
  { name: 'compact on a phone', size: phone, configuration: { density: 'compact' }, checked: places },
];

/** Changes the media and the size of a page, if they change. */
function emulator(page: Page, cdp: CDPSession) {
  let [media, size] = ['', desktop];
  return async (look: Look): Promise<void> => {
    const wanted = { forcedColors: 'none', contrast: 'no-preference', ...look.media } as const;
    if (media !== JSON.stringify(wanted)) await page.emulateMedia(wanted);
    media = JSON.stringify(wanted);
    const { size: next = desktop } = look;
    if (size === next) return;
    size = next;
    const { width, height, isPhone = false } = size;
    await cdp.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: isPhone,
    });
    await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: isPhone });
    await page.waitForFunction(
      (state) => innerWidth === state[0] && matchMedia('(pointer: coarse)').matches === state[1],
      [width, isPhone] as const,
    );
  };
}

/**
 * Configures a look, and waits until the page draws the same elements as before in it, with the same attributes, except those
 * that only styles read. Then rules on elements and attributes need no other check. Returns false for a state that changes by
 * itself, such as a message that is being sent.
 */
function redraw(page: Page, configuration: Configuration): Promise<boolean> {
  return page.evaluate(
    async (configuration) => {
      const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
      const elements = () => {
        let found = '';
        for (const element of root.querySelectorAll('*')) {
          // Announcements come and go, the list of emoji contains those in view, and "new message" depends on what is in view.
          if (
            !element.checkVisibility({ visibilityProperty: true }) ||
            element.closest('.live p, [role="row"], [part~="pill"]')
          )
            continue;
          found += `<${element.localName}`;
          for (const { name, value } of element.attributes) {
            if (!/^(class|style|lang|dir|data-.*)$/.test(name)) found += ` ${name}="${value}"`;
          }
        }
        return found;
      };
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const before = elements();
      (window.platform as Platform).config({ configuration });
      // The components draw before the next frame.
      await frame();
      await frame();
      for (let end = performance.now() + 2_000; elements() !== before; await frame()) {
        if (performance.now() > end) return false;
      }
      return true;
    },
    { ...usual, ...configuration },
  );
}

/** Controls that are smaller than `pixels` in one direction. Links in running text are exempt. */
function smallTargets(page: Page, pixels: number): Promise<string[]> {
  return page.evaluate((least) => {
    const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
    return [...root.querySelectorAll<HTMLElement>('button, a[href], select, textarea, input')].flatMap(
      (control) => {
        // A click on its label is one on the box. A label without a box is as large as the control.
        const label = control.closest('label')?.getBoundingClientRect();
        const { width, height } = label?.width ? label : control.getBoundingClientRect();
        // The numbers of sources are in a sentence, too (WCAG 2.5.8, 2.5.5: inline).
        const isInLine =
          (control.tagName === 'A' && getComputedStyle(control).display === 'inline') ||
          (least > 24 && control.matches('.markdown .cite'));
        // A link that skips something is drawn while it has the focus.
        const isSeen =
          control.checkVisibility({ visibilityProperty: true }) &&
          getComputedStyle(control).clipPath !== 'inset(50%)';
        // The chosen option of an answered question only shows the answer.
        const isAnswer = control.matches('.option[aria-pressed="true"]:disabled');
        if (!isSeen || isInLine || isAnswer || Math.min(width, height) > least - 0.01) return [];
        return `${control.getAttribute('aria-label') ?? control.textContent}: ${width} x ${height}`;
      },
    );
  }, pixels);
}

/** Findings of axe while the messages cannot be read. */
async function violationsOfGreyMessages(page: Page): Promise<string> {
  const change = (color: string) =>
    page.locator('.bubble .text').evaluateAll((texts, name) => {
      for (const text of texts as HTMLElement[]) text.style.color = name;
    }, color);
  await change('#bbb');
  const found = await violations(page, undefined, { redrawn: colors });
  await change('');
  return found.join();
}

test.use({ env: await screensEnv(), viewport: desktop });

test(`axe finds no violation and targets are large enough in every state of the window: ${looks.map((look) => look.name).join('; ')}`, async ({
  page,
  serve,
  platform,
}) => {
  // Each state in each look: as long as so many tests.
  test.setTimeout(600_000);
  await openDesk(platform);
  const chat = new InstructedChat(page, '', platform, serve);
  const load = async (attributes = '') => {
    if (page.url() !== 'about:blank') await page.evaluate(() => localStorage.clear());
    // axe injects a script, which the strict policy would block, so this page has no policy.
    const parts = { path: '/axe', body: '<main><h2>Content</h2></main>', csp: '' };
    await chat.load(`${allFeatures} data-strings='${strings}' ${attributes}`, parts);
  };
  const stage = { page, chat, platform, load };
  const emulate = emulator(page, await page.context().newCDPSession(page));
  const found: Record<string, string[]> = {};
  for (const { surface, begin, states, isSeparate } of widgetScenes) {
    let isBegun = false;
    for (const state of states) {
      if (!isBegun) await begin(stage);
      isBegun = !isSeparate || state.stays === true;
      await state.enter(stage);
      // A control: axe sees the colors of the chat.
      if (state.name === 'open') expect(await violationsOfGreyMessages(page)).toContain('color-contrast');
      for (const [index, look] of state.stays ? [] : looks.entries()) {
        let redrawn: readonly Drawn[] | undefined;
        if (index > 0) {
          await emulate(look);
          if (await redraw(page, look.configuration ?? {})) redrawn = look.checked;
        }
        const faults = await violations(page, undefined, { redrawn });
        if (look.checked.includes('places'))
          faults.push(...(await smallTargets(page, look.size?.isPhone ? 44 : 24)));
        if (faults.length > 0) found[`${surface}, ${state.name}, ${look.name}`] = faults;
      }
      if (!state.stays) {
        await emulate(looks[0] as Look);
        await redraw(page, {});
      }
      await state.leave?.(stage);
    }
  }
  await closeDesk(platform);
  expect(found).toEqual({});
  chat.ignoreConsoleErrors(/Failed to load resource|Not allowed to load|could not be loaded/);
  chat.expectNoConsoleErrors();
});

test.describe('pages of the server', () => {
  let platform: PlatformServer;
  let shop: Shop;
  test.beforeAll(async () => {
    platform = await startPlatform({ ...(await screensEnv()), WEBHOOK_PRIVATE: 'first' });
    shop = await createShop(platform);
  });
  test.afterAll(() => platform.dispose());
  test.use({ viewport: { width: 1280, height: 800 } });

  for (const surface of new Set(shopScenes.map((scene) => scene.surface))) {
    test(`axe finds no violation in any state of: ${surface}`, async ({ page }) => {
      test.setTimeout(600_000);
      const stage = { page, platform, shop };
      const found: Record<string, string[]> = {};
      for (const { begin, states } of shopScenes.filter((scene) => scene.surface === surface)) {
        await begin(stage);
        for (const state of states) {
          await state.enter(stage);
          const faults = await violationsInBothSchemes(page, 'html', { sign: 'color-contrast' });
          await page.setViewportSize({ width: 390, height: 844 });
          if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
            faults.push('wider than a phone');
          await page.setViewportSize({ width: 1280, height: 800 });
          if (faults.length > 0) found[state.name] = faults;
          await state.leave?.(stage);
        }
      }
      expect(found).toEqual({});
    });
  }
});
