// `node scripts/pictures.mjs`, after `npm run screens -- --look "desktop, light"`: writes the pictures of the guides.
// Run it only after the screens have changed: a picture of another version differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { requireProgram } from './browser.mjs';
import { webpOf } from './docs/webp.mjs';

/** Name of the picture -> surface and state, as their folder and file are named. */
const pictures = {
  'api-reference': 'api-reference/an-operation',
  'chat-emoji': 'window/emoji',
  'chat-form': 'panels-of-the-window/the-form-before-the-chat',
  'chat-person': 'people/a-person-has-joined',
  'chat-sources': 'answers/steps-and-sources-open',
  'chat-waiting': 'people/waiting-for-a-person',
  'console-account': 'console/account',
  'console-answers': 'console/bot-answers',
  'console-appearance': 'console/bot-appearance',
  'console-audit': 'console/settings-audit',
  'console-inbox': 'inbox/a-conversation-that-waits',
  'console-install': 'console/bot-install',
  'console-invite': 'console/team-invite',
  'console-knowledge': 'console/bot-knowledge',
  'console-people': 'console/bot-people',
  'console-privacy': 'console/bot-privacy',
  'console-reports': 'inbox/reports',
  'console-start': 'console/first-steps-look',
  'console-team': 'console/team',
  'console-tokens': 'console/settings-tokens',
  'inbox-conversation': 'inbox/an-open-conversation',
  'mail-link': 'other-pages/link-of-a-mail',
  playground: 'playground/fields-and-preview',
  'sign-in': 'sign-in/sign-in',
};
const browser = await chromium.launch({ executablePath: requireProgram('headless'), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage();
  for (const [name, state] of Object.entries(pictures)) {
    const png = readFileSync(`.cache/screens/now/${state}.desktop-light.png`);
    writeFileSync(`docs/pictures/${name}.webp`, await webpOf(page, png));
  }
} finally {
  await browser.close();
}
