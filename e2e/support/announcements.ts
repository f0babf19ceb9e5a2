// Records what a screen reader would announce: every text that enters a live region, from the start of the page.
// Reading the live region in a test can be too late, because the widget empties it after some seconds.
import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** `polite: text` or `assertive: text`, in order. */
    announced: string[];
  }
}

/** Must be called before the page is loaded. It observes every shadow root from its creation. */
export async function recordAnnouncements(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.announced = [];
    const regions = '[aria-live]:not([aria-live="off"]), [role="alert"], [role="status"], [role="log"]';
    const announce = (region: Element | null | undefined, text: string | null) => {
      // Hidden regions are not announced.
      if (!region || !text?.trim() || !region.checkVisibility()) return;
      const isAssertive = region.role === 'alert' || region.ariaLive === 'assertive';
      window.announced.push(`${isAssertive ? 'assertive' : 'polite'}: ${text.replace(/\s+/g, ' ').trim()}`);
    };
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (options) {
      const root = attach.call(this, options);
      new MutationObserver((records) => {
        for (const { target, addedNodes, type } of records) {
          // Removals are not announced.
          if (type === 'childList' && addedNodes.length === 0) continue;
          const near = target instanceof Element ? target : target.parentElement;
          const around = near?.closest(regions);
          // Either the content of a region changes, or an alert is inserted together with its text.
          if (around) announce(around, addedNodes[0]?.textContent ?? target.textContent);
          else {
            for (const node of addedNodes) {
              if (!(node instanceof Element)) continue;
              const found = [node, ...node.querySelectorAll('*')].filter((one) =>
                one.matches('[role="alert"]'),
              );
              for (const one of found) announce(one, one.textContent);
            }
          }
        }
      }).observe(root, { childList: true, characterData: true, subtree: true });
      return root;
    };
  });
}

/** All announcements since the page was loaded. */
export const announcements = (page: Page): Promise<string[]> => page.evaluate(() => window.announced);
