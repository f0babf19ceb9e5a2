// `node scripts/pictures.mjs`, after `npm run screens -- --look "desktop, light"`: copies the pictures of docs/guides/console.md.
// Run it only after the screens have changed: a picture of another version differs.
import { copyFileSync } from 'node:fs';

const pictures = {
  account: 'console/account',
  answers: 'console/bot-answers',
  appearance: 'console/bot-appearance',
  audit: 'console/settings-audit',
  inbox: 'inbox/a-conversation-that-waits',
  install: 'console/bot-install',
  knowledge: 'console/bot-knowledge',
  reports: 'inbox/reports',
  start: 'console/first-steps-look',
  team: 'console/team',
  tokens: 'console/settings-tokens',
};
for (const [name, state] of Object.entries(pictures))
  copyFileSync(`.cache/screens/now/${state}.desktop-light.png`, `docs/pictures/console-${name}.png`);
