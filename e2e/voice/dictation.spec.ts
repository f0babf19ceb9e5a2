// Dictation. Speech is recognized by a service of the browser's vendor, which tests cannot reach: most tests replace the
// browser's interface by a stand-in with the same events. microphone.spec.ts uses
// the browser's own, which fails without the service.
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({ env: scriptedBot, attributes: 'data-dictation' });

interface StandIn {
  /** Properties and calls of the chat, newest recognition last. */
  log: string[];
  /** Sends a result with all that was said, as browsers do. */
  say(...texts: string[]): void;
  fail(error: string): void;
}
declare global {
  interface Window {
    speech: StandIn;
  }
}

/** Replaces the interface of the browser before the page loads. */
const replaceRecognition = (page: Page) =>
  page.addInitScript(() => {
    let last: Recognition | undefined;
    let said: string[] = [];
    class Recognition extends EventTarget {
      lang = '';
      continuous = false;
      interimResults = false;
      start() {
        last = this;
        said = [];
        window.speech.log.push(`start ${this.lang} ${this.continuous} ${this.interimResults}`);
      }
      stop() {
        window.speech.log.push('stop');
        if (said.length > 0) window.speech.say(...said, 'final');
        this.dispatchEvent(new Event('end'));
      }
      abort() {
        window.speech.log.push('abort');
        this.dispatchEvent(Object.assign(new Event('error'), { error: 'aborted' }));
        this.dispatchEvent(new Event('end'));
      }
    }
    window.speech = {
      log: [],
      say(...texts) {
        said = texts;
        const results = texts.map((transcript) => [{ transcript }]);
        last?.dispatchEvent(Object.assign(new Event('result'), { results }));
      },
      fail(error) {
        last?.dispatchEvent(Object.assign(new Event('error'), { error }));
        last?.dispatchEvent(new Event('end'));
      },
    };
    Object.assign(window, { SpeechRecognition: Recognition, webkitSpeechRecognition: Recognition });
  });

const button = (chat: ChatPage) => chat.window.getByRole('button', { name: 'Dictate', exact: true });
const listening = (chat: ChatPage) => chat.window.getByRole('status').filter({ hasText: 'Listening…' });
const problem = (chat: ChatPage) => chat.window.locator('.tool-note[role="alert"]');
const say = (page: Page, ...texts: string[]) => page.evaluate((all) => window.speech.say(...all), texts);
const log = (page: Page) => page.evaluate(() => window.speech.log);

async function start(chat: ChatPage): Promise<void> {
  await chat.startConversation();
}
async function dictate(chat: ChatPage, page: Page): Promise<void> {
  const before = (await log(page)).length;
  await button(chat).click();
  await expect(listening(chat)).toBeVisible();
  await expect.poll(async () => (await log(page)).slice(before).join()).toContain('start');
}

test.describe('with a stand-in for the interface of the browser', () => {
  test.beforeEach(({ page }) => replaceRecognition(page));

  test('what is said appears at the caret while it is spoken, in the language of the chat, and is the draft', {
    tag: '@story',
  }, async ({ chat, page }) => {
    await start(chat);
    await chat.input.fill('Dear bot, thanks');
    await chat.input.evaluate((e: HTMLTextAreaElement) => e.setSelectionRange(9, 9));
    await dictate(chat, page);
    expect(await log(page)).toEqual(['start en true true']);
    await expect(button(chat)).toHaveAttribute('aria-pressed', 'true');
    await say(page, 'where');
    await expect(chat.input).toHaveValue('Dear bot, where thanks');
    await say(page, 'where is my order?');
    await expect(chat.input).toHaveValue('Dear bot, where is my order? thanks');
    await say(page, 'where is my order?', ' And my bill?');
    await button(chat).click();
    await expect(chat.input).toHaveValue('Dear bot, where is my order? And my bill? final thanks');
    await expect(listening(chat)).toHaveCount(0);
    await expect(button(chat)).toHaveAttribute('aria-pressed', 'false');
    await expect(problem(chat)).toHaveCount(0);
    expect((await chat.storedSession()).draft).toContain('And my bill?');
    // A late result changes nothing.
    await say(page, 'too late');
    await expect(chat.input).toHaveValue('Dear bot, where is my order? And my bill? final thanks');
  });

  test('Escape ends the dictation and keeps the text and the window', async ({ chat, page }) => {
    await start(chat);
    await dictate(chat, page);
    await say(page, 'half a');
    await page.keyboard.press('Escape');
    await expect(listening(chat)).toHaveCount(0);
    await expect(chat.input).toHaveValue('half a final');
    await expect(chat.window).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(chat.window).toBeHidden();
  });

  test('sending and writing end the dictation, and no words come back', async ({ chat, page }) => {
    await start(chat);
    await dictate(chat, page);
    await say(page, 'send this');
    await chat.window.getByRole('button', { name: 'Send message' }).click();
    await expect(chat.input).toHaveValue('');
    await expect(listening(chat)).toHaveCount(0);
    await expect.poll(() => chat.serverTexts()).toContain('send this');
    await say(page, 'send this and more');
    await expect(chat.input).toHaveValue('');
    expect((await log(page)).at(-1)).toBe('abort');

    await dictate(chat, page);
    await say(page, 'spoken');
    await chat.input.press('End');
    await page.keyboard.type('!');
    await expect(chat.input).toHaveValue('spoken!');
    await expect(listening(chat)).toHaveCount(0);
    await say(page, 'spoken again');
    await expect(chat.input).toHaveValue('spoken!');
  });

  test('closing, switching off and destroying the chat end the dictation', async ({ chat, page }) => {
    await start(chat);
    const last = async () => (await log(page)).at(-1);
    await dictate(chat, page);
    await say(page, 'kept');
    await chat.call('close');
    await expect.poll(last).toBe('abort');
    await chat.launcher.click();
    await expect(chat.input).toHaveValue('kept');
    await expect(listening(chat)).toHaveCount(0);

    const set = (dictation: boolean) =>
      page.evaluate(
        (on) => (window.platform as Platform).config({ configuration: { dictation: on } }),
        dictation,
      );
    await dictate(chat, page);
    await set(false);
    await expect.poll(last).toBe('abort');
    await expect(button(chat)).toHaveCount(0);
    await set(true);
    await dictate(chat, page);
    await chat.call('destroy');
    await expect.poll(last).toBe('abort');
  });

  for (const [error, sentence] of [
    ['not-allowed', 'The microphone cannot be used. Please check the settings of your browser.'],
    ['audio-capture', 'The microphone cannot be used. Please check the settings of your browser.'],
    ['no-speech', 'Nothing was heard. Please try again.'],
    ['network', 'Dictation is not available at the moment.'],
    ['language-not-supported', 'Dictation is not available at the moment.'],
    ['something <b>new</b>', 'Dictation is not available at the moment.'],
  ] as const) {
    test(`the error ${error} is a sentence, and the next click tries again`, async ({ chat, page }) => {
      await start(chat);
      await chat.input.fill('kept');
      await dictate(chat, page);
      await page.evaluate((name) => window.speech.fail(name), error);
      await expect(problem(chat)).toHaveText(sentence);
      await expect(chat.input).toHaveValue('kept');
      // It is above the buttons, which stay in one row.
      const [note, send] = await Promise.all([
        problem(chat).boundingBox(),
        chat.window.getByRole('button', { name: 'Send message' }).boundingBox(),
      ]);
      const row = await button(chat).boundingBox();
      expect(row?.y).toBe(send?.y);
      expect((note?.y ?? 0) + (note?.height ?? 0)).toBeLessThanOrEqual(row?.y ?? 0);
      await dictate(chat, page);
      await expect(problem(chat)).toHaveCount(0);
      // An error after something was understood is not worth a sentence.
      await say(page, 'well');
      await page.evaluate((name) => window.speech.fail(name), error);
      await expect(listening(chat)).toHaveCount(0);
      await expect(problem(chat)).toHaveCount(0);
      await expect(chat.input).toHaveValue('kept well');
    });
  }
});

test('where the browser can recognize speech by itself, it is asked to', async ({ chat, page }) => {
  await replaceRecognition(page);
  await page.addInitScript(() => {
    const { SpeechRecognition } = window as unknown as Record<string, { prototype: { start(): void } }>;
    const { prototype } = SpeechRecognition ?? {};
    Object.assign(SpeechRecognition ?? {}, { available: async () => 'available' });
    const begin = prototype?.start;
    Object.assign(prototype ?? {}, {
      start(this: { processLocally?: boolean }) {
        window.speech.log.push(`local ${this.processLocally}`);
        begin?.call(this);
      },
    });
  });
  await start(chat);
  await dictate(chat, page);
  expect(await log(page)).toEqual(['local true', 'start en true true']);
});

test('a browser without the interface has no button', async ({ chat, page }) => {
  await page.addInitScript(() => {
    const names = window as unknown as Record<string, unknown>;
    delete names.SpeechRecognition;
    delete names.webkitSpeechRecognition;
  });
  await start(chat);
  await chat.send('works');
  await expect.poll(() => chat.serverTexts()).toContain('works');
  // Its code has loaded.
  await expect(chat.botRows.first().locator('.acts')).toBeAttached();
  await expect(button(chat)).toHaveCount(0);
});
