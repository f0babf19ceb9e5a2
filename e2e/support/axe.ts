// Returns the findings of axe on a page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/** axe, which talks to frames of any origin: otherwise it skips the apps, which have one of their own. */
const source = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')};
axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`;

/** The rules whose result depends on how elements are drawn: on their colors, or on their sizes and places. */
const rulesOf = {
  colors: ['color-contrast', 'link-in-text-block'],
  places: ['avoid-inline-spacing', 'scrollable-region-focusable'],
};
export type Drawn = keyof typeof rulesOf;

/**
 * Violations of axe's rules for WCAG 2.2 A and AA and best practices in the widget, or in the part of the page that
 * `selector` names: each as the rule and the element. Frames are checked too.
 * @param options.sign a rule that something of it fulfils: a page without a button needs another one
 * @param options.redrawn what is drawn in another way than before, for the same elements: only the rules that depend on it
 */
export async function violations(
  page: Page,
  selector = 'platform-webchat',
  { redrawn, sign = 'button-name' }: { redrawn?: readonly Drawn[] | undefined; sign?: string } = {},
): Promise<string[]> {
  // Outside of the widget a control can be below a heading that stays in place, and axe takes it for small.
  const drawnSign = selector === 'platform-webchat' ? 'target-size' : 'color-contrast';
  // Once for each page: @axe-core/playwright does it for each check, which took half of the time.
  for (const frame of page.frames()) {
    if (!(await frame.evaluate('"axe" in window'))) await frame.evaluate(source);
  }
  const { found, checked } = await page.evaluate(
    async ({ part, rules, rule }) => {
      // axe looks for what is drawn above and below an element in the body only, but the chat is beside the body: without this, it
      // cannot determine any contrast in the chat, and finds no overlapping targets.
      const { createTreeWalker } = Document.prototype;
      document.createTreeWalker = (root, ...filter) => {
        if (root !== document.body) return createTreeWalker.call(document, root, ...filter);
        const walker = createTreeWalker.call(document, document.documentElement, ...filter);
        walker.nextNode();
        return walker;
      };
      const results = await (window.axe as typeof axe).run(part, {
        ...(rules ? { runOnly: { type: 'rule' as const, values: rules } } : {}),
        rules: { 'target-size': { enabled: part === 'platform-webchat' } },
        resultTypes: ['violations'],
        // Not the style sheets, which no rule here reads.
        preload: { assets: ['media'] },
      });
      Reflect.deleteProperty(document, 'createTreeWalker');
      return {
        found: results.violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target }) => `${id}: ${target.flat().join(' ')}`),
        ),
        checked: results.passes.find(({ id }) => id === rule)?.nodes.length,
      };
    },
    {
      part: selector,
      rules: redrawn && [...redrawn.flatMap((drawn) => rulesOf[drawn]), drawnSign],
      rule: redrawn ? drawnSign : sign,
    },
  );
  // axe has checked the content, also of the shadow root.
  expect(checked).toBeGreaterThan(0);
  return found;
}

/** Findings of axe in the light and in the dark scheme, in which the page draws the same elements. It ends with the light one. */
export async function violationsInBothSchemes(
  page: Page,
  ...[selector, options]: [selector?: string, options?: { sign?: string }]
): Promise<string[]> {
  const light = await violations(page, selector, options);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violations(page, selector, { ...options, redrawn: ['colors'] });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((fault) => `dark: ${fault}`)];
}
