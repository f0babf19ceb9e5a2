// Signals and requests that are too late: about a message that is not loaded, after the end of a stream, a second stop.
import { alive, botMessage, injectSignals, scriptedChat } from '../support/bots/scripted-chat.ts';
import { startRequestGate } from '../support/faults/request-gate.ts';
import { expect, test } from '../support/fixtures.ts';
import { watch } from '../support/hostile/canary.ts';

test.use(scriptedChat);

test('a late signal about a message that is not loaded does not change the order', async ({ chat }) => {
  await watch(chat);
  await chat.startConversation();
  await injectSignals(chat, {
    type: 'message_updated',
    data: botMessage(
      'msg_old',
      { type: 'text', text: 'From long ago' },
      { createdAt: '2020-01-01T00:00:00Z' },
    ),
  });
  await injectSignals(chat, { type: 'message_deleted', data: {} });
  await alive(chat);
  await expect(chat.window.getByText('From long ago')).toHaveCount(0);
});

test('stopping a stream twice, or just as it ends, sends one stop and causes no error', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await chat.recordEvents();
  const gate = await startRequestGate();
  await chat.instructBot({ stream: [{ until: gate.url, text: 'word ' }] });
  const stop = chat.window.getByRole('button', { name: 'Stop the answer' });
  await stop.dblclick();
  await expect(chat.botRows.nth(1)).toHaveAttribute('data-status', 'aborted');
  await chat.instructBot({ stream: ['word ', 'word '] });
  await expect(chat.botRows.nth(2)).toBeVisible();
  await chat.window.locator('.composer').evaluate((form: HTMLFormElement) => {
    for (let i = 0; i < 5; i++) form.requestSubmit();
  });
  await expect(chat.botRows.nth(2)).toHaveAttribute('data-status', /sent|aborted/);
  await alive(chat);
  expect(await chat.eventTypes()).not.toContain('error');
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('platform-webchat');
});
