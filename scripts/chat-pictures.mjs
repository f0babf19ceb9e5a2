// `node scripts/chat-pictures.mjs`, after `npm run build`: writes the pictures of the chat on the start page of the documentation, one for
// each mode. Run it only after the look of the window has changed: a picture of other fonts differs.
import { writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { preview } from 'vite';
import { requireProgram } from './browser.mjs';
import { webpOf } from './docs/webp.mjs';

// The page that the live chats use, and the script of the chat beside it.
const server = await preview({
  configFile: false,
  appType: 'mpa',
  build: { outDir: 'dist' },
  preview: { port: 0 },
});
const [url] = server.resolvedUrls.local;
const browser = await chromium.launch({ executablePath: requireProgram('headless'), args: ['--no-sandbox'] });
try {
  for (const scheme of ['light', 'dark']) await take(scheme);
} finally {
  await browser.close();
  await server.close();
}

async function take(scheme) {
  const page = await browser.newPage({
    viewport: { width: 376, height: 500 },
    deviceScaleFactor: 2,
    colorScheme: scheme,
    locale: 'en-US',
  });
  await page.goto(`${url}docs/try.html`);
  await page.evaluate((ground) => {
    document.documentElement.dataset.ground = ground;
    window.tryChat.start({
      configuration: { botName: 'Ada', botDescription: 'Answers within a minute' },
      isOpen: true,
      payloads: [
        { type: 'text', text: 'Hello! How can I help?' },
        {
          type: 'markdown',
          markdown:
            'These plans are **free for a month**:\n\n| Plan | People | Price |\n|---|--:|--:|\n| Basic | 1 | 9 |\n| Team | 10 | 29 |',
        },
        {
          type: 'choice',
          text: 'Which one fits?',
          options: ['Basic', 'Team'].map((label) => ({ label, value: label })),
        },
      ],
    });
  }, scheme);
  await page.getByRole('button', { name: 'Team' }).waitFor();
  // The scripts for Markdown and for choices arrive after the first text.
  await page.waitForTimeout(2_500);
  await page.evaluate(() => document.activeElement?.blur());
  const path = `docs/pictures/chat-${scheme}.webp`;
  writeFileSync(path, await webpOf(await browser.newPage(), await page.screenshot()));
  console.log(path);
}
