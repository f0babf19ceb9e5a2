// The fixture of the tests of the playground: its page object, and a check for errors and requests to other servers.
import type { FrameLocator, Locator, Page } from '@playwright/test';
import { violationsInBothSchemes } from './axe.ts';
import { test as base, expect } from './fixtures.ts';
import type { PlatformServer } from './server.ts';

/** A page object of the playground. */
class Playground {
  readonly page: Page;
  readonly platform: PlatformServer;
  readonly preview: FrameLocator;
  readonly launcher: Locator;
  readonly window: Locator;
  readonly log: Locator;
  readonly consoleMessages: string[] = [];
  readonly hosts = new Set<string>();

  constructor(page: Page, platform: PlatformServer) {
    this.page = page;
    this.platform = platform;
    this.preview = page.frameLocator('iframe');
    this.launcher = this.preview.locator('.launcher');
    this.window = this.preview.locator('.window');
    this.log = page.getByRole('log', { name: 'Events' });
    page.on('request', (request) => this.hosts.add(new URL(request.url()).origin));
    page.on('pageerror', (error) => this.consoleMessages.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.consoleMessages.push(message.text());
    });
  }

  async goto(hash = ''): Promise<void> {
    // A change of the hash alone would not reload the page.
    await this.page.goto('about:blank');
    await this.page.goto(`${this.platform.url}/playground/${hash}`);
  }

  /** The control of a field. */
  field(name: string): Locator {
    return this.page.getByRole('form', { name: 'Fields' }).getByLabel(name, { exact: true });
  }

  async tool(name: 'Code' | 'Methods' | 'Server'): Promise<Locator> {
    await this.page.getByRole('tab', { name }).click();
    return this.page.getByRole('tabpanel', { name });
  }

  async open(): Promise<void> {
    await this.launcher.click();
    await expect(this.window.locator('.row[data-side="bot"]').first()).toContainText('I am the demo bot');
  }

  /** Findings of axe on the page, or in the part that `selector` names, in light and dark. */
  violations(selector = 'html'): Promise<string[]> {
    return violationsInBothSchemes(this.page, selector);
  }
}

export const test = base.extend<{ playground: Playground }>({
  playground: async ({ page, platform }, use) => {
    const playground = new Playground(page, platform);
    await playground.goto();
    await expect(playground.launcher).toBeVisible();
    await use(playground);
    expect(playground.consoleMessages).toEqual([]);
    expect([...playground.hosts]).toEqual([platform.url]);
  },
});

export const hashOf = (page: Page) => decodeURIComponent(new URL(page.url()).hash);
