// Voice messages. The browser's fake microphone is recorded by its real recorder, uploaded to the real server and played.
import { Buffer } from 'node:buffer';
import { recordAnnouncements } from '../support/announcements.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, test } from '../support/fixtures.ts';
import {
  audioOf,
  bar,
  expectNoRecording,
  ownAudio,
  record,
  send,
  startRecording,
  startWithMicrophone,
  tracks,
  tray,
  uploads,
  watchMicrophone,
  withMicrophone,
} from '../support/microphone.ts';

test.use(withMicrophone);
test.beforeEach(({ page }) => watchMicrophone(page));

test('a voice message is recorded, sent as audio, received by the bot, and played, also after a reload', {
  tag: '@story',
}, async ({ chat, page }) => {
  await recordAnnouncements(page);
  await startWithMicrophone(chat);
  await chat.input.fill('a draft');
  expect(chat.requests.filter((url) => /\/voice-/.test(url))).toEqual([]);
  await startRecording(chat);
  expect(await tracks(page)).toEqual(['audio live']);
  await expect(bar(chat)).toContainText('Recording…');
  await expect(send(chat)).toBeFocused();
  // The text box and its buttons are away, so that there is one button that sends.
  await expect(chat.input).toBeHidden();
  await expect(chat.window.getByRole('button', { name: 'Send message' })).toHaveCount(1);
  expect(await page.evaluate(() => window.announced)).toContain('polite: Recording…');
  expect(uploads(chat)).toEqual([]);
  await send(chat).click();
  await expect.poll(() => tracks(page)).toEqual(['audio ended']);
  await expect(bar(chat)).toHaveCount(0);
  await expect(record(chat)).toBeFocused();
  await expect(chat.input).toHaveValue('a draft');
  await expect(chat.botRows.last()).toContainText('received audio {"type":"audio"');

  const [payload, ...others] = await audioOf(chat);
  expect(others).toEqual([]);
  expect(payload).toEqual({
    type: 'audio',
    audioUrl: expect.stringMatching(/\/voice-message\.weba$/),
    fileId: expect.stringMatching(/^file_/),
    title: 'Voice message',
  });
  const audioUrl = payload?.audioUrl ?? '';
  await expect(chat.botRows.last()).toContainText(audioUrl);
  const whole = await fetch(audioUrl);
  const bytes = Buffer.from(await whole.arrayBuffer());
  expect(whole.headers.get('content-type')).toBe('audio/webm');
  expect(whole.headers.get('content-disposition')).toMatch(/^inline/);
  expect(bytes.subarray(0, 4).toString('hex')).toBe('1a45dfa3');
  const part = await fetch(audioUrl, { headers: { range: 'bytes=4-9' } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(4, 10))).toBe(true);

  for (const isAgain of [false, true]) {
    if (isAgain) {
      await chat.reopen();
    }
    await expect(chat.window.getByRole('button', { name: 'Play: Voice message' })).toBeVisible();
    const played = await ownAudio(chat).evaluate(async (audio: HTMLAudioElement) => {
      const moved = new Promise((resolve) => audio.addEventListener('timeupdate', resolve, { once: true }));
      await audio.play();
      await moved;
      audio.pause();
      return { duration: audio.duration, error: audio.error };
    });
    expect(played.error).toBeNull();
    // The recorder does not write the duration into the file.
    expect(played.duration).toBeGreaterThan(1);
    expect(played.duration).toBeLessThan(600);
  }
});

test('two quick clicks on the button that sends send one message', async ({ chat, page }) => {
  await startWithMicrophone(chat);
  await startRecording(chat);
  await send(chat).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(chat.botRows.last()).toContainText('received audio');
  expect((await audioOf(chat)).length).toBe(1);
  expect(await tracks(page)).toEqual(['audio ended']);
});

test.describe('the limits of the bot', () => {
  test.afterEach(({ chat }) => chat.storeConfiguration({}));

  test('a recording ends before it is larger than a file may be, and is accepted', async ({ chat, page }) => {
    await chat.storeConfiguration({ maxFileBytes: 20_000 });
    await startWithMicrophone(chat);
    await record(chat).click();
    await expect(bar(chat)).toContainText('The recording has ended.', { timeout: 50_000 });
    expect(await tracks(page)).toEqual(['audio ended']);
    await send(chat).click();
    await expect.poll(async () => (await audioOf(chat)).length).toBe(1);
    const [payload] = await audioOf(chat);
    const bytes = await (await fetch(payload?.audioUrl ?? '')).arrayBuffer();
    expect(bytes.byteLength).toBeGreaterThan(10_000);
    // The duration adds 22 bytes at most.
    expect(bytes.byteLength).toBeLessThanOrEqual(20_000);
  });

  for (const refused of [{ fileTypes: 'image/*' }, { maxFileBytes: 19_999 }]) {
    test(`a bot with the limits ${JSON.stringify(refused)} has no button`, async ({ chat }) => {
      await chat.storeConfiguration(refused);
      await expectNoRecording(chat);
    });
  }

  test('a bot that takes only sound takes a voice message', async ({ chat }) => {
    await chat.storeConfiguration({ fileTypes: 'audio/*' });
    await startWithMicrophone(chat);
    await startRecording(chat);
    await send(chat).click();
    await expect.poll(async () => (await audioOf(chat)).length).toBe(1);
  });
});

test('a refused upload is told, can be tried again, and is sent then', async ({ chat, page }) => {
  await startWithMicrophone(chat);
  await startRecording(chat);
  await page.route(/\/files$/, (route) => route.abort());
  await send(chat).click();
  await expect(tray(chat).getByRole('alert')).toHaveText('Voice message: Not uploaded');
  await page.unroute(/\/files$/);
  await chat.window.getByRole('button', { name: 'Try Voice message again' }).click();
  await expect.poll(async () => (await audioOf(chat)).length).toBe(1);
  await expect(tray(chat)).toHaveCount(0);
  chat.ignoreConsoleErrors(/ERR_FAILED|reached/);
});

test('closing the window does not end the upload of what was sent', async ({ chat, page }) => {
  await startWithMicrophone(chat);
  await startRecording(chat);
  const release = await holdRequests(page, /\/files$/);
  await send(chat).click();
  await expect(tray(chat)).toHaveAttribute('data-status', 'uploading');
  await chat.call('close');
  await expect(chat.window).toBeHidden();
  release();
  await expect.poll(async () => (await audioOf(chat)).length).toBe(1);
});
