// The usual day of an owner, in the browser alone, on a desktop and on a phone: a new member, the look and its versions, a document, the
// report, the data of a visitor, and a token.
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import yauzl from 'yauzl';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { type AnsweringModel, startModel } from '../support/bots/answering-model.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';
import { type PlatformServer, startPlatform } from '../support/server.ts';
import { adminOf, expectGood, phone, watchErrors } from './signed-in.ts';
import { acceptInvitation, invite, useSetupLink } from './team-pages.ts';

const { step } = test;

let platform: PlatformServer;
let model: AnsweringModel;
test.beforeEach(async () => {
  [platform, model] = await Promise.all([startPlatform({ WEBHOOK_PRIVATE: 'first' }), startModel()]);
});
test.afterEach(async () => {
  await platform.dispose();
  await model.close();
});

async function openPart(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Bots', exact: true }).click();
  await page.getByRole('link', { name: 'demo' }).click();
  await page.getByRole('navigation', { name: 'Parts of the bot' }).getByRole('link', { name }).click();
}

/** The names and texts of the files of an archive. */
async function readArchive(path: string): Promise<Map<string, string>> {
  const archive = await promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open)(path, {
    lazyEntries: true,
  });
  const files = new Map<string, string>();
  archive.on('entry', (entry: yauzl.Entry) => {
    archive.openReadStream(entry, async (_, stream) => {
      const pieces: Buffer[] = [];
      for await (const piece of stream) pieces.push(piece as Buffer);
      files.set(entry.fileName, Buffer.concat(pieces).toString());
      archive.readEntry();
    });
  });
  archive.readEntry();
  await new Promise((resolve) => archive.on('end', resolve));
  return files;
}

for (const [device, options] of [
  ['a desktop', { viewport: { width: 1280, height: 800 } }],
  ['a phone', phone],
] as const) {
  test(`an owner has all of a usual day in the browser, on ${device}`, async ({ browser, site }) => {
    const contexts = [
      await browser.newContext({ reducedMotion: 'reduce', ...options }),
      await browser.newContext({ reducedMotion: 'reduce' }),
      await browser.newContext({ reducedMotion: 'reduce' }),
    ] as const;
    const [page, theirs, shop] = await Promise.all(contexts.map((context) => context.newPage()));
    if (!page || !theirs || !shop) throw new Error('There is no page.');
    const errors = await watchErrors(page);
    const dialog = page.getByRole('dialog');
    const url = site.page('/day', pageHtml(`<script src="${platform.chatUrl}/webchat.js"></script>`), {});
    const input = shop.getByRole('textbox', { name: 'Message' });
    const ask = async (text: string, answer: string) => {
      await input.fill(text);
      await shop.keyboard.press('Enter');
      await expect(shop.getByText(answer, { exact: true }).last()).toBeVisible();
    };
    /** A new visitor, whose browser keeps no script of before. */
    const expectName = async (name: string) => {
      const context = await browser.newContext({ reducedMotion: 'reduce' });
      const visitor = await context.newPage();
      await visitor.goto(url);
      await visitor.getByRole('button', { name: 'Open chat' }).click();
      await expect(visitor.getByRole('heading', { name, level: 2 })).toBeVisible();
      await context.close();
    };

    await step('signs in', () => useSetupLink(page, platform, 'Olga'));

    await step('invites a member, who accepts', async () => {
      await page.getByRole('link', { name: 'Team' }).click();
      const email = 'max@example.com';
      const link = await invite(page, { email, name: 'Max', role: 'Manager' });
      await acceptInvitation(theirs, link);
      await page.reload();
      await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Available');
      await expectGood(page, 'team');
      const { members } = await adminOf(platform).listWorkspaceMembers({});
      expect(members.map(({ displayName, role }) => `${displayName} ${role}`).sort()).toEqual([
        'Max manager',
        'Olga owner',
      ]);
    });

    await step('lets a language model answer', async () => {
      await openPart(page, 'Answers');
      await page.getByRole('radio', { name: /^A language model/ }).check();
      await page.getByRole('textbox', { name: 'Address' }).fill(model.url);
      await page.getByLabel('Name of the model').fill('small');
      await page.getByLabel('Key', { exact: true }).fill('sk-test');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('Saved. The next message')).toBeVisible();
      await shop.goto(url);
      await shop.getByRole('button', { name: 'Open chat' }).click();
      await ask('How much is the umbrella?', 'I can help you with orders.');
      await shop.evaluate(() => (window.platform as Platform).updateUser({ name: 'Petra' }));
    });

    await step('adds a document, and the bot answers from it', async () => {
      await openPart(page, 'Knowledge');
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose files' }).click();
      const buffer = Buffer.from('# The umbrella\n\nThe umbrella costs 113 EUR.');
      await (await chooser).setFiles([{ name: 'umbrella.md', mimeType: 'text/markdown', buffer }]);
      await expect(page.getByText('Ready', { exact: true })).toBeVisible();
      await expectGood(page, 'knowledge');
      await ask('How much is the umbrella today?', 'It costs 113 EUR.');
      await shop.getByRole('button', { name: '1 source' }).click();
      await expect(shop.getByText('umbrella.md')).toBeVisible();
    });

    await step('changes the look, publishes it twice, and goes back to the first', async () => {
      await openPart(page, 'Appearance');
      const name = page.getByLabel('Name in the chat');
      for (const each of ['Ann', 'Bea']) {
        await name.fill(each);
        await page.getByRole('button', { name: 'Publish' }).click();
        await expect(page.getByText('Published: visitors see it within five minutes.')).toBeVisible();
        // The message may be that of the time before.
        await expect(page.getByText('There are changes that are not published yet.')).toBeHidden();
        await expectName(each);
      }
      await page
        .getByRole('button', { name: /^Go back to/ })
        .first()
        .click();
      await expectGood(page, 'earlier version');
      await dialog.getByRole('button', { name: 'Publish this version' }).click();
      await expect(name).toHaveValue('Ann');
      await expectName('Ann');
      await expectGood(page, 'appearance');
    });

    await step('reads the report', async () => {
      await page.getByRole('link', { name: 'Reports' }).click();
      await expect(page.getByText(/1 conversation began/)).toBeVisible();
      await expect(page.getByText(/Nobody asked for a person/)).toBeVisible();
      await expectGood(page, 'report');
    });

    await step('gives a visitor all of their data', async () => {
      await openPart(page, 'Privacy');
      await page.getByRole('button', { name: 'Export the data of Petra' }).click();
      await expectGood(page, 'export');
      const json = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Save as JSON' }).click();
      const items = await readFile(await (await json).path(), 'utf8');
      expect(items).toContain('How much is the umbrella today?');
      expect(items).toContain('It costs 113 EUR.');
      await dialog.getByRole('button', { name: 'Make an archive' }).click();
      const archive = page.waitForEvent('download');
      await dialog.getByRole('link', { name: /^Download the archive/ }).click();
      const files = await readArchive(await (await archive).path());
      const readable = [...files].filter(([path]) => /\.(md|txt|html)$/.test(path)).map(([, text]) => text);
      expect(readable.join()).toContain('How much is the umbrella today?');
      await page.keyboard.press('Escape');
    });

    await step('revokes a token, which is refused afterwards', async () => {
      // On a phone it is in the menu of the bar.
      const more = page.getByRole('button', { name: 'More', exact: true });
      if (await more.isVisible()) await more.click();
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Tokens' }).click();
      await page.getByRole('button', { name: 'Create a token' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('Laptop');
      await dialog.getByRole('button', { name: 'Create' }).click();
      const token = await dialog.getByLabel('Token', { exact: true }).inputValue();
      await dialog.getByRole('button', { name: 'Done' }).click();
      const program = () =>
        fetch(`${platform.url}/v1/admin/bots`, {
          headers: { authorization: `Bearer ${token}`, 'x-workspace-id': platform.admin.workspaceId },
        });
      expect((await program()).status).toBe(200);
      await page.getByRole('button', { name: 'Revoke Laptop' }).click();
      await dialog.getByRole('button', { name: 'Revoke the token' }).click();
      await expect(page.getByRole('row').filter({ hasText: 'Laptop' })).toHaveCount(0);
      expect((await program()).status).toBe(401);
      await expectGood(page, 'tokens');
    });

    expect(errors).toEqual([]);
    await Promise.all(contexts.map((context) => context.close()));
  });
}
