// Malformed signals, lists and features of a server do not break the chat.
import { alive, scriptedChat } from '../support/bots/scripted-chat.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';
import { open, type Said } from '../support/hostile/history.ts';
import { values } from '../support/hostile/vectors.ts';

test.use(scriptedChat);

test.describe('malformed server responses', () => {
  test('malformed signals do no harm', async ({ chat, pageUrl, page }) => {
    const { canary } = await open(chat, pageUrl);
    await page.evaluate((all) => {
      const createdAt = new Date().toISOString();
      const fields: Record<string, object> = {
        message_created: {
          id: 'msg_1',
          createdAt,
          userId: 'bot',
          payload: { type: 'text', text: 'x' },
          isBot: true,
        },
        message_updated: { id: 'msg_2', createdAt, userId: 'bot', payload: { type: 'text', text: 'x' } },
        message_deleted: { id: 'msg_none', conversationId: '', userId: 'bot' },
        event_created: { id: 'evt_1', createdAt, userId: 'bot', payload: { a: 1 }, isBot: true },
        participant_added: { conversationId: '', participantId: 'x' },
        message_stream_delta: { streamId: 's', userId: 'bot', createdAt, sequence: 0, delta: 'x' },
        message_stream_complete: { streamId: 's', message: { id: 'msg_3' } },
        message_stream_abort: { streamId: 's' },
        typing_started: { userId: 'bot', timeout: 100 },
        typing_stopped: { userId: 'bot' },
        webchat_visibility: { visibility: 'show' },
        webchat_config: {
          config: { color: 1, radius: 'x', adminKey: 'x', unknown: 1, remoteImages: 'all images' },
        },
        odd: {},
        __proto__: {},
        constructor: {},
      };
      let count = 0;
      for (const [type, data] of Object.entries(fields)) {
        window.serverSays({ type, data });
        for (const x of all) {
          window.serverSays({ type, data: x });
          for (const field of Object.keys(data)) {
            // Each in a separate stream, so that the rest of one cannot hide the next one.
            window.serverSays({ type, data: { ...data, streamId: `s${count++}`, [field]: x } });
          }
        }
        window.serverSays({ type }, { type, data: 5 }, type, `{"type":"${type}","data":`);
      }
    }, values);
    await alive(chat);
    await expect(chat.botRows.first()).toContainText('I am the demo bot’s scripted double');
    await canary.expectIntact();
    // Values are explained when the browser is idle: no more of that comes from a page that was left.
    await page.goto('about:blank');
    // A message that cannot be parsed is reported in the console and skipped.
    const isSaid = /^\[platform\] Configuration:|^TypeError: .*annot convert object to primitive value/;
    chat.consoleErrors = chat.consoleErrors.filter((line) => !isSaid.test(line));
  });

  test('malformed lists do not break the chat', async ({ chat, pageUrl }) => {
    const { canary, load } = await open(chat, pageUrl);
    const text = { type: 'text', text: 'x' };
    const times = [
      ...values,
      '',
      'yesterday',
      '2023-02-01',
      '2023-02-01 00:00:01',
      '2023-02-01T00:00:02+00:00',
    ];
    await load(
      times.map((createdAt): Said => ({ payload: text, more: { createdAt } })),
      { isCounted: false },
    );
    // One message among many is null.
    await load([{ payload: text, more: { id: 5 } }, ...values.map((payload): Said => ({ payload }))], {
      isCounted: false,
    });
    await canary.expectIntact();
  });

  test('malformed server features are ignored', async ({ chat, page, site, platform }) => {
    const script = `<script src="${platform.url}/webchat/webchat.js" data-chat-url="${platform.chatUrl}" data-allow-file-upload data-feedback-enabled></script>`;
    const url = site.page('/nonsense', pageHtml(script), {});
    let answer: unknown;
    await page.route(/\/webchat$/, (route) =>
      route.fulfill({ json: answer, headers: { 'access-control-allow-origin': '*' } }),
    );
    const features = ['files', 'feedback', 'typing', 'stream'];
    for (answer of [
      null,
      'x',
      { features: 5 },
      { features: { length: 1 }, limits: 5 },
      { features },
      { features, limits: { fileTypes: 'x', fileBytes: 'x' } },
    ]) {
      await chat.goto(url);
      await chat.openWindow();
      await chat.window.locator('.viewport').hover();
      const isTaken = (answer as { features?: unknown } | null)?.features === features;
      const attach = chat.window.getByRole('button', { name: 'Attach files' });
      await expect(attach).toHaveCount(isTaken ? 1 : 0);
      if (isTaken) {
        const files = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') };
        await chat.window.locator('input[type=file]').setInputFiles(files);
        const tray = chat.window.getByRole('list', { name: 'Files to send' });
        await expect(tray.getByRole('listitem')).toHaveCount(1);
        await tray.getByRole('button', { name: 'Remove a.txt' }).click();
      }
      await alive(chat);
    }
  });
});
