// Extremes of content: very long texts and lists, deep nesting, ten thousand messages in a download, bidirectional control
// characters.
import { readFile } from 'node:fs/promises';
import {
  alive,
  botMessage,
  cors,
  injectSignals,
  media,
  scriptedChat,
} from '../support/bots/scripted-chat.ts';
import { expect, test } from '../support/fixtures.ts';
import { watch } from '../support/hostile/canary.ts';

test.use(scriptedChat);

test.describe('extreme content', () => {
  test('long words, a thousand options and cards, and deep nesting do not change the layout of the window', async ({
    chat,
    page,
  }) => {
    test.slow();
    const canary = await watch(chat);
    await chat.startConversation();
    const long = 'A'.repeat(5_000);
    const many = Array.from({ length: 1_000 }, (_, i) => i);
    const nest = (depth: number) => {
      let item: object = { type: 'text', text: 'In the middle' };
      for (let i = 0; i < depth; i++) item = { type: 'bloc', items: [item] };
      return item;
    };
    const payloads: object[] = [
      { type: 'text', text: long },
      { type: 'markdown', markdown: `**${long}**` },
      { type: 'file', fileUrl: 'https://example.com/', title: long },
      { type: 'card', title: long, subtitle: long, actions: [{ action: 'say', label: long, value: 'x' }] },
      { type: 'choice', text: 'Long', options: [{ label: long, value: 'x' }] },
      { type: 'dropdown', text: 'Long', options: [{ label: long, value: 'x' }] },
      { type: 'choice', text: 'Many', options: many.map((i) => ({ label: `Option ${i}`, value: `${i}` })) },
      { type: 'dropdown', text: 'Many', options: many.map((i) => ({ label: `Option ${i}`, value: `${i}` })) },
      { type: 'carousel', items: many.map((i) => ({ title: `Card ${i}`, actions: [] })) },
      { type: 'bloc', items: many.map((i) => ({ type: 'text', text: `Item ${i}` })) },
      nest(5),
      nest(1_000),
      { type: 'markdown', markdown: `${'> '.repeat(5_000)}deep` },
      { type: 'markdown', markdown: `${'['.repeat(20_000)}deep` },
      { type: 'location', latitude: 1e308, longitude: -1e308, title: 'Far' },
      { type: 'image', imageUrl: media(chat, 'photo.svg'), width: 1e308, height: 1e-308 },
    ];
    for (const [i, payload] of payloads.entries()) {
      // As JSON text, because Playwright's serialization would overflow the stack first.
      await injectSignals(
        chat,
        JSON.stringify({ type: 'message_created', data: botMessage(`msg_big_${i}`, payload) }),
      );
    }
    await expect(chat.botRows).toHaveCount(payloads.length + 1);
    await expect(chat.window.locator('[data-key="msg_big_8"]').getByRole('listitem')).toHaveCount(1_000);
    await expect(chat.window.locator('[data-key="msg_big_10"]')).toContainText('In the middle');
    await alive(chat);
    await canary.expectIntact();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
});

test('bidirectional control characters do not reverse the name of a file', async ({ chat }) => {
  await watch(chat);
  await chat.startConversation();
  const names = ['photo\u202egnp.exe', 'a\u2067b\u2069.txt', '\u202dx\u202c.txt'];
  const row = await chat.botReplies({
    type: 'bloc',
    items: names.flatMap((name) => [
      { type: 'file', fileUrl: 'https://example.com/', title: name },
      { type: 'file', fileUrl: `https://example.com/${encodeURIComponent(name)}` },
    ]),
  });
  const links = row.getByRole('link');
  await expect(links).toHaveCount(6);
  expect((await links.allTextContents()).join()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  await expect(links.first()).toContainText('photognp.exe');
});

test('a conversation of ten thousand messages is downloaded as one file, also with malformed messages in it', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  let requests = 0;
  await page.route(/\/conversations\/[^/]+\/messages(\?|$)/, (route) => {
    const messages = Array.from({ length: 500 }, (_, i) => ({
      ...botMessage(`msg_${requests}_${i}`, { type: 'text', text: `${requests} ${i}` }),
      ...(i === 7 && { createdAt: 5 }),
    }));
    requests++;
    const meta = requests < 20 ? { nextToken: `${requests}` } : {};
    return route.fulfill({ json: { messages: [...messages, null], meta }, headers: cors });
  });
  await chat.window.getByRole('button', { name: 'More' }).click();
  const downloading = page.waitForEvent('download');
  await chat.window.getByRole('menuitem', { name: 'Download conversation' }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  expect(text.match(/^\[/gm)?.length).toBeGreaterThan(9_900);
});
