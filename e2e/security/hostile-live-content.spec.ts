// Hostile text that arrives while the chat is open is shown as text: in streams, the configuration, the draft,
// announcements and error responses, on pages with and without a policy.
import { Buffer } from 'node:buffer';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { alive, scriptedChat } from '../support/bots/scripted-chat.ts';
import { expect, test } from '../support/fixtures.ts';
import { open, pages, servePage } from '../support/hostile/history.ts';
import { html, markdown, strings } from '../support/hostile/vectors.ts';

test.use(scriptedChat);

for (const { name, isBare } of pages) {
  test.describe(name, () => {
    test.use({ pageUrl: servePage(isBare) });

    test('hostile text is harmless at every moment of a stream', async ({ chat, pageUrl, page }) => {
      const { canary } = await open(chat, pageUrl);
      const texts = [...markdown, ...html];
      // All concurrently, each in deltas of a different size, one delta per frame. A delta can end inside of a
      // character.
      const frames = await page.evaluate(async (all) => {
        const { userId } = JSON.parse(Object.values(localStorage)[0] ?? '{}');
        const conversationId = '';
        const createdAt = new Date().toISOString();
        const streams = all.map((text, i) => ({ streamId: `stream ${i}`, text, size: 2 + (i % 4), at: 0 }));
        let count = 0;
        for (; streams.some(({ at, text }) => at < text.length); count++) {
          const signals = streams.flatMap((stream) => {
            const { streamId, text, size, at } = stream;
            if (at >= text.length) return [];
            stream.at += size;
            const data = {
              streamId,
              conversationId,
              userId: `not ${userId}`,
              createdAt,
              sequence: at / size,
            };
            return [{ type: 'message_stream_delta', data: { ...data, delta: text.slice(at, at + size) } }];
          });
          window.serverSays(...signals);
          await new Promise(requestAnimationFrame);
        }
        return count;
      }, texts);
      expect(frames).toBeGreaterThan(40);
      await expect(chat.window.locator('.row[data-status="streaming"]')).toHaveCount(texts.length);
      await canary.expectIntact();
      await page.evaluate((all) => {
        const message = (text: string, i: number) => ({
          id: `msg_end_${i}`,
          createdAt: new Date().toISOString(),
          userId: 'bot',
          conversationId: '',
          payload: { type: 'markdown', markdown: text },
          metadata: { streamId: `stream ${i}` },
        });
        window.serverSays(
          ...all.map((text, i) => ({
            type: 'message_stream_complete',
            data: { streamId: `stream ${i}`, message: message(text, i) },
          })),
        );
      }, texts);
      await expect(chat.window.locator('.row[data-status="streaming"]')).toHaveCount(0);
      await alive(chat);
      await canary.expectIntact();
    });

    test('hostile text in the configuration, the draft and announcements is shown as text', async ({
      chat,
      pageUrl,
      page,
    }) => {
      const { canary } = await open(chat, pageUrl);
      const wrong = await page.evaluate(
        async (all) => {
          const root = document.querySelector('platform-webchat')?.shadowRoot;
          const text = (selector: string) => root?.querySelector(selector)?.textContent;
          const found: unknown[] = [];
          for (const x of all) {
            const link = { title: x, link: x };
            const configuration = {
              botName: x,
              botDescription: x,
              composerPlaceholder: x,
              footer: x,
              // A plain word is a font name that is requested from Google. No other request is allowed.
              fontFamily: /^[\w -]+$/.test(x) ? '' : x,
              phone: link,
              email: link,
              website: link,
              termsOfService: link,
              privacyPolicy: link,
            };
            (window.platform as Platform).config({ configuration });
            window.serverSays({
              type: 'webchat_config',
              data: { conversationId: '', config: configuration },
            });
            await new Promise(requestAnimationFrame);
            await new Promise(requestAnimationFrame);
            const label = root?.querySelector('.window')?.getAttribute('aria-label');
            const placeholder = root?.querySelector('textarea')?.placeholder;
            if (
              text('h2') !== x ||
              text('.description') !== x ||
              label !== `Chat with ${x}` ||
              placeholder !== x
            )
              found.push([x, text('h2'), text('.description'), label, placeholder]);
            for (const address of root?.querySelectorAll('.footer [src], .footer [onclick], .header [src]') ??
              [])
              found.push([x, address.outerHTML]);
          }
          return found;
        },
        strings.filter(
          (x, i) =>
            i % 2 === Number(isBare) && x.trim() && !x.includes('\r') && !/[\ud800-\udfff]lone/.test(x),
        ),
      );
      expect(wrong).toEqual([]);
      await canary.expectIntact();
      // Announcements, and the stored draft.
      await page.evaluate(async (all) => {
        // An announcement is removed after some seconds.
        const region = document.querySelector('platform-webchat')?.shadowRoot?.querySelector('.live');
        const isAnnounced = new Promise<void>((resolve) => {
          new MutationObserver((records) => {
            if (records.some(({ addedNodes }) => addedNodes.length > 0)) resolve();
          }).observe(region as Element, { childList: true });
        });
        const createdAt = new Date().toISOString();
        const live = (x: string, i: number) => ({
          type: 'message_created',
          data: {
            id: `msg_live_${i}`,
            createdAt,
            userId: 'bot',
            isBot: true,
            payload: { type: 'image', title: x, imageUrl: 'none:' },
          },
        });
        window.serverSays(...all.map(live));
        await isAnnounced;
      }, strings);
      await canary.expectIntact();
      for (const x of strings.slice(0, 3)) {
        await chat.input.fill(x);
        await page.reload();
        await chat.launcher.click();
        await expect(chat.input).toHaveValue(x);
      }
      await canary.expectIntact();
      await alive(chat);
      // Invalid URLs and colors are reported to the page and in the console.
      chat.consoleErrors = chat.consoleErrors.filter((line) => !line.startsWith('[platform] Configuration:'));
    });

    test('hostile text in error responses is shown as text', async ({ chat, pageUrl, page }) => {
      const { canary } = await open(chat, pageUrl);
      await chat.recordEvents();
      const x = '"><img src=x onerror=pwned()><script>pwned()</script>';
      const refuse = { id: 'err_1', code: 400, type: 'InvalidPayload', message: x, metadata: { [x]: x } };
      await page.route(/\/(messages|files|users\/me)$/, (route) =>
        ['POST', 'PUT'].includes(route.request().method())
          ? route.fulfill({ status: 400, json: refuse, headers: { 'access-control-allow-origin': '*' } })
          : route.fallback(),
      );
      await chat.send(x);
      await expect(chat.rows.last()).toHaveAttribute('data-status', 'failed');
      await expect(
        chat.rows.last().getByRole('button', { name: `Discard: ${x.slice(0, 40)}` }),
      ).toBeVisible();
      await chat.window.locator('.viewport').hover();
      await chat.window
        .locator('input[type=file]')
        .setInputFiles({ name: x, mimeType: x, buffer: Buffer.from('x') });
      const tray = chat.window.getByRole('list', { name: 'Files to send' });
      // The announcement includes the file name.
      await expect(tray.getByRole('alert')).toHaveText(`${x}: ${x}`);
      await expect(tray.locator('bdi')).toHaveText(x);
      expect(
        await page.evaluate(
          (name) => (window.platform as Platform).updateUser({ name }).catch((e) => e.message),
          x,
        ),
      ).toBe(x);
      expect(await chat.eventTypes()).toContain('error');
      await canary.expectIntact();
      await page.unroute(/\/(messages|files|users\/me)$/);
      await tray.getByRole('button').click();
      await chat.rows
        .last()
        .getByRole('button', { name: /^Discard/ })
        .click();
      await alive(chat);
      chat.ignoreConsoleErrors(/status of 400/);
    });
  });
}
