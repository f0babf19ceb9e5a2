// Fixtures of the Playwright tests of apps: the environment, and the frames of an app.
import type { FrameLocator, Locator } from '@playwright/test';
import { scriptedBot } from '../support/fixtures.ts';
import { strictCsp } from '../support/host-page.ts';

/** A server with a sandbox origin, and a page that allows it. */
export const withApps = {
  env: { ...scriptedBot, sandbox: 'on' },
  csp: `${strictCsp('PLATFORM')}; frame-src SANDBOX`,
};

/** The frame with the document of the app, inside that of the sandbox origin. */
export const insideOf = (row: Locator): FrameLocator =>
  row.frameLocator('.app > iframe').frameLocator('iframe');
