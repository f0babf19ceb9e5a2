// Tests of voice messages: the fake microphone of the browser, and what the visitor sees of a recording.
import type { Page } from '@playwright/test';
import type { ChatPage } from './chat-page.ts';
import { expect, scriptedBot } from './fixtures.ts';
import { strictCsp } from './host-page.ts';

/** Options of `test.use`: voice messages. The browser has a microphone that beeps and that the visitor allows (playwright.config.ts). */
export const withMicrophone = {
  env: scriptedBot,
  attributes: 'data-voice-messages',
  csp: strictCsp('PLATFORM', { media: true }),
};

interface Microphone {
  /** How often the page has asked for it. */
  asked: number;
  tracks: MediaStreamTrack[];
  /** If set, the visitor answers the browser's question when it resolves. */
  answer?: Promise<unknown>;
}
declare global {
  interface Window {
    microphone: Microphone;
  }
}

/** Records how the page uses the microphone. To be called before the page is loaded. */
export const watchMicrophone = (page: Page) =>
  page.addInitScript(() => {
    window.microphone = { asked: 0, tracks: [] };
    const { mediaDevices } = navigator;
    const ask = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async (constraints) => {
      window.microphone.asked++;
      const stream = await ask(constraints);
      window.microphone.tracks.push(...stream.getTracks());
      await window.microphone.answer;
      return stream;
    };
  });

export const record = (chat: ChatPage) => chat.window.getByRole('button', { name: 'Record a voice message' });

/** Opens the chat, and checks that nothing can be recorded, also when the code of the button has loaded. */
export async function expectNoRecording(chat: ChatPage): Promise<void> {
  await chat.goto();
  await chat.launcher.click();
  await expect(chat.botRows).toHaveCount(1);
  await chat.send('works');
  await expect.poll(() => chat.serverTexts()).toContain('works');
  await expect(chat.botRows.first().locator('.acts')).toBeAttached();
  await expect(record(chat)).toHaveCount(0);
}

export const bar = (chat: ChatPage) => chat.window.locator('.recording');
export const send = (chat: ChatPage) => bar(chat).getByRole('button', { name: 'Send message' });
export const discard = (chat: ChatPage) => bar(chat).getByRole('button', { name: 'Discard' });
export const tray = (chat: ChatPage) => chat.window.locator('.attachment');
export const tracks = (page: Page) =>
  page.evaluate(() => window.microphone.tracks.map(({ kind, readyState }) => `${kind} ${readyState}`));
export const uploads = (chat: ChatPage) => chat.requests.filter((url) => /\/files\b/.test(url));
export const ownAudio = (chat: ChatPage) => chat.window.locator('.row[data-side="visitor"] audio');
export const audioOf = async (chat: ChatPage) =>
  (await chat.serverMessages()).flatMap(({ payload }) => (payload.type === 'audio' ? [payload] : []));

export async function startWithMicrophone(chat: ChatPage): Promise<void> {
  await chat.startConversation();
  await expect(record(chat)).toBeVisible();
}

/** Begins a recording, and waits until there is sound. */
export async function startRecording(chat: ChatPage): Promise<void> {
  await record(chat).click();
  await expect(bar(chat).getByRole('timer')).toHaveText(/[1-9]/);
}

/** The recording is gone, nothing was sent, and the microphone is free. */
export async function expectDiscarded(chat: ChatPage, page: Page): Promise<void> {
  await expect.poll(() => tracks(page)).toEqual(['audio ended']);
  await expect(bar(chat)).toHaveCount(0);
  await expect(tray(chat)).toHaveCount(0);
  expect(uploads(chat)).toEqual([]);
}
