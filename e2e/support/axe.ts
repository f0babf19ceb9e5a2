// What axe finds in the widget.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Violations of axe's rules for WCAG 2.2 A and AA and best practices, each as the rule and the element. */
export async function violations(page: Page): Promise<string[]> {
  const { violations: found, passes } = await new AxeBuilder({ page })
    // Legacy mode does not open a second page to combine frames; there are no frames here.
    .setLegacyMode()
    .include('platform-webchat')
    .options({ rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] })
    .analyze();
  // axe has checked the content of the shadow root.
  expect(passes.find(({ id }) => id === 'button-name')?.nodes.length).toBeGreaterThan(0);
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.flat().join(' ')}`));
}
