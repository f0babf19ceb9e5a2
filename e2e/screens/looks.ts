// The columns of the screens. Light, dark, desktop and phone have rules of style of their own, so that each is drawn. Right to left
// mirrors places and not colors, so it has one column, on the phone, where there is least space; the console has no language of that
// direction. Forced colors are those of the system, whatever the scheme: a few states show borders and marks.
import type { Page } from '@playwright/test';

interface Size {
  width: number;
  height: number;
}

const desktop: Size = { width: 1280, height: 800 };
const phone: Size = { width: 390, height: 844 };

export interface Look {
  name: string;
  size: Size;
  isPhone?: boolean;
  colorScheme?: 'dark';
  isForced?: boolean;
  locale?: string;
}

const first: Look = { name: 'Desktop, light', size: desktop };
export const looks: readonly Look[] = [
  first,
  { name: 'Desktop, dark', size: desktop, colorScheme: 'dark' },
  { name: 'Phone, light', size: phone, isPhone: true },
  { name: 'Phone, dark', size: phone, isPhone: true, colorScheme: 'dark' },
  { name: 'Phone, right to left', size: phone, isPhone: true, locale: 'ar' },
  { name: 'Forced colors', size: desktop, isForced: true },
];

/** Returns a function that draws the page in a look; without one in the first, in which states are entered. */
export async function createLooks(page: Page): Promise<(look?: Look) => Promise<void>> {
  const cdp = await page.context().newCDPSession(page);
  await page.setViewportSize(desktop);
  let current = first;
  return async (look = first) => {
    const { size, isPhone = false, colorScheme = 'light', isForced = false, locale = 'en' } = look;
    await page.emulateMedia({
      colorScheme,
      forcedColors: isForced ? 'active' : 'none',
      reducedMotion: 'reduce',
    });
    if (size !== current.size) {
      await page.setViewportSize(size);
      await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: isPhone });
    }
    if (locale !== (current.locale ?? 'en')) {
      await page.evaluate((name) => {
        if (!window.platform || Array.isArray(window.platform)) return;
        window.platform.config({ configuration: { locale: name } });
      }, locale);
      await page.waitForFunction(
        (name) =>
          document
            .querySelector('platform-webchat')
            ?.shadowRoot?.querySelector('[lang]')
            ?.getAttribute('lang') === name,
        locale,
      );
    }
    current = look;
  };
}
