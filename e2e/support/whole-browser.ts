// The whole Chromium, for what its headless shell does not have: notifications, and a microphone that is refused.
import { findProgram } from '../../scripts/browser.mjs';

const found = findProgram('chromium');
// Without a path, Playwright would start a browser of its own that nobody has installed.
if (!found) throw new Error('The whole Chromium is missing: run `node scripts/browser.mjs chromium`.');

/** The path of the program. */
export const executablePath: string = found;
