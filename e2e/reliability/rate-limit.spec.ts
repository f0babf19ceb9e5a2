// A visitor who sends faster than the rate limit allows: everything arrives once and in order, but later.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test } from '../support/fixtures.ts';

test.use({ env: { RATE_LIMIT: '30' } });

test('messages beyond the rate limit are sent later, in order and without any action of the visitor', async ({
  chat,
  page,
  platform,
}) => {
  await chat.startConversation();
  const refusals: Record<string, string>[] = [];
  page.on('response', (response) => {
    if (response.status() === 429) refusals.push(response.headers());
  });
  const texts = Array.from({ length: 3 }, (_, n) => `Message ${n}.`);
  const send = (all: string[]) =>
    Promise.all(all.map((text) => (window.platform as Platform).sendMessage(text))).then(() => 'sent');
  const { userKey = '' } = await chat.storedSession();
  const drink = async () =>
    (await fetch(`${platform.chatUrl}/users/me`, { headers: { 'x-user-key': userKey } })).status;
  // Another client empties the bucket until the visitor's request is refused.
  while ((await drink()) !== 429);
  const sending = page.evaluate(send, texts);
  while (refusals.length === 0) await drink();
  expect(await sending).toBe('sent');
  // The headers are readable from the page's origin.
  for (const headers of refusals) {
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers['access-control-expose-headers']).toContain('retry-after');
  }
  await expect(chat.window.getByRole('alert')).toHaveCount(0);
  await expect(chat.rows.filter({ hasText: texts.at(-1) ?? '' }).first()).toHaveAttribute(
    'data-status',
    'sent',
  );
  // The rate limit also applies to reading the messages.
  await expect(async () => {
    const stored = (await chat.serverTexts()).filter((text) => text.startsWith('Message'));
    expect(stored).toEqual(texts);
  }).toPass({ intervals: [4_000] });
  chat.ignoreConsoleErrors('429');
});
