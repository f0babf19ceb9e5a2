// `node scripts/pictures.mjs`, after `npm run build`: writes the pictures of docs/guides/console.md with a server of example data, and those
// of the chat on the start page of the documentation. `node scripts/pictures.mjs chat` writes only the latter.
// A picture of other figures or fonts than those of the last run differs, so run it only after the screens have changed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from '@playwright/test';
import { AdminClient, ChatClient, FilesClient } from '../dist/node/src/client/index.js';
import { requireProgram } from './browser.mjs';

const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
const target = 'docs/pictures';
mkdirSync(target, { recursive: true });

const server = spawn(process.execPath, ['dist/node/src/server/main.js'], {
  env: { ...process.env, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let url = '';
for await (const line of createInterface({ input: server.stdout })) {
  [, url = ''] = /^ready (\S+)$/.exec(line) ?? [];
  if (url) break;
}
const browser = await chromium.launch({ executablePath: requireProgram('headless'), args: ['--no-sandbox'] });
try {
  for (const scheme of ['light', 'dark']) await takeChat(scheme);
  if (process.argv[2] !== 'chat') await takeConsole();
} finally {
  await browser.close();
  server.kill();
  await once(server, 'exit');
  rmSync(folder, { recursive: true });
}

/** A conversation with a mock, in the page that the live chat of the documentation uses (src/pages/docs/frame). */
async function takeChat(scheme) {
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
          options: [
            { label: 'Basic', value: 'b' },
            { label: 'Team', value: 't' },
          ],
        },
      ],
    });
  }, scheme);
  await page.getByRole('button', { name: 'Team' }).waitFor();
  // The scripts for Markdown and for choices arrive after the first text.
  await page.waitForTimeout(2_500);
  await page.evaluate(() => document.activeElement?.blur());
  await page.screenshot({ path: join(target, `chat-${scheme}.png`) });
  console.log(`${target}/chat-${scheme}.png`);
  await page.close();
}

async function takeConsole() {
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 }, locale: 'en-US' });
  const address = await signIn(page);
  const { botId, conversationId } = await fill();
  const pictures = {
    start: '?page=start&step=look',
    appearance: `?page=bots&bot=${botId}&tab=appearance`,
    answers: `?page=bots&bot=${botId}&tab=answers`,
    knowledge: `?page=bots&bot=${botId}&tab=knowledge`,
    install: `?page=bots&bot=${botId}&tab=install`,
    team: '?page=team',
    reports: '?report=30d',
    tokens: '?page=settings&tab=tokens',
    audit: '?page=settings&tab=audit',
    account: '?page=account',
    inbox: `?list=unassigned&conversation=${conversationId}`,
  };
  for (const [name, query] of Object.entries(pictures)) {
    await page.goto(address + query);
    // The inbox and the preview of the chat keep their streams open.
    await page.waitForTimeout(2_500);
    await page.screenshot({ path: join(target, `console-${name}.png`) });
    console.log(`${target}/console-${name}.png`);
  }
}

/** Sets up the account of the owner by the link of the start. Returns the address of the console. */
async function signIn(page) {
  const link = readFileSync(join(folder, 'setup-link'), 'utf8').trim();
  await page.goto(link);
  await page.getByLabel('Your name').fill('Ada Winter');
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByLabel('Password').fill('four words that stay together');
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
  return link.split('#')[0];
}

/** Creates example data: members, documents, conversations, a token. */
async function fill() {
  const token = readFileSync(join(folder, 'admin-token'), 'utf8').trim();
  const apiUrl = url.replace(/\/$/, '');
  const { workspaces } = await new AdminClient({ apiUrl, token }).listWorkspaces({});
  const workspaceId = workspaces[0].id;
  const admin = new AdminClient({ apiUrl, token, workspaceId });
  const [bot] = (await admin.listBots({})).bots;
  await admin.setBotWebchat({
    id: bot.id,
    configuration: {
      botName: 'Shop help',
      botDescription: 'Answers questions about orders',
      color: '#7c3aed',
    },
  });
  for (const [email, role, displayName] of [
    ['ben@example.com', 'manager', 'Ben Ito'],
    ['cleo@example.com', 'support', 'Cleo Marsh'],
    ['dana@example.com', 'viewer', 'Dana Roth'],
  ])
    await admin.createWorkspaceMember({ email, role, displayName });
  await admin.createToken({ name: 'Import of products', kind: 'personal' });
  await admin.createToken({ name: 'Shop system', kind: 'bot', botId: bot.id });
  await admin.setBotDeployment({ id: bot.id, visitorHandoff: true });
  const files = new FilesClient({ apiUrl, token, workspaceId, botId: bot.id });
  const { knowledgeBase } = await files.createKnowledgeBase({ name: 'Shop' });
  // `kbId` is the tag of the files of a knowledge base.
  for (const [key, content] of [
    ['delivery.md', '# Delivery\n\nWe deliver in three days.'],
    ['returns.md', '# Returns\n\nYou can send everything back within 30 days.'],
    ['warranty.md', '# Warranty\n\nTwo years on all products.'],
  ])
    await files.uploadFile({ key, content, index: true, tags: { kbId: knowledgeBase.id } });
  let last = '';
  for (const [name, text] of [
    ['Lena', 'My parcel has not arrived. Can somebody look?'],
    ['Omar', 'Can I change the address of my order?'],
    ['Kim', 'The lamp flickers. What should I do?'],
  ]) {
    const { key: userKey } = await new ChatClient({ chatUrl: `${apiUrl}/chat/demo` }).createUser({ name });
    const visitor = new ChatClient({ chatUrl: `${apiUrl}/chat/demo`, userKey });
    const { conversation } = await visitor.createConversation({});
    await visitor.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } });
    await visitor.requestHandoff({ id: conversation.id });
    last = conversation.id;
  }
  return { botId: bot.id, conversationId: last };
}
