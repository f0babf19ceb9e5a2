// How the recording of a voice message begins and ends, and that the microphone is free afterwards.
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { pageHtml, strictCsp } from '../support/host-page.ts';
import {
  audioOf,
  bar,
  discard,
  expectDiscarded,
  expectNoRecording,
  record,
  send,
  startRecording,
  startWithMicrophone,
  tracks,
  uploads,
  watchMicrophone,
  withMicrophone,
} from '../support/microphone.ts';
import { openTab } from '../support/tabs.ts';

test.use(withMicrophone);
test.beforeEach(({ page }) => watchMicrophone(page));

test('the button and Escape discard the recording, and the draft is kept', async ({ chat, page }) => {
  await startWithMicrophone(chat);
  await chat.input.fill('kept');
  await startRecording(chat);
  await discard(chat).click();
  await expectDiscarded(chat, page);
  await expect(record(chat)).toBeFocused();
  await expect(chat.input).toHaveValue('kept');

  await startRecording(chat);
  await page.keyboard.press('Escape');
  await expect.poll(() => tracks(page)).toEqual(['audio ended', 'audio ended']);
  await expect(bar(chat)).toHaveCount(0);
  await expect(record(chat)).toBeFocused();
  await expect(chat.window).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(chat.window).toBeHidden();
  expect(uploads(chat)).toEqual([]);
  expect(await audioOf(chat)).toEqual([]);
});

const call = (page: Page, run: (platform: Platform) => unknown) => page.evaluate(`(${run})(window.platform)`);
const bring = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
const pass = (page: Page, type: 'pagehide' | 'pageshow') =>
  page.evaluate((name) => dispatchEvent(new PageTransitionEvent(name, { persisted: true })), type);

interface Ending {
  end(chat: ChatPage, page: Page): Promise<unknown>;
  /** Leads back to a window in which the visitor can record. */
  goBack?(chat: ChatPage, page: Page): Promise<unknown>;
}
const ofTheConversation: Record<string, Ending> = {
  'the question before a restart': {
    end: (chat) => chat.window.getByRole('button', { name: 'Start a new conversation' }).click(),
    goBack: (chat) => chat.window.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click(),
  },
  'a question of the bot that takes no text': {
    end: (chat) =>
      chat.botReplies({
        type: 'choice',
        text: 'Which?',
        options: [{ label: 'A', value: 'a' }],
        disableFreeText: true,
      }),
    goBack: async (chat) => {
      await chat.window.getByRole('button', { name: 'A', exact: true }).last().click();
      // Else the next question could not be told from the answer to this one.
      await expect(chat.botRows.last()).toContainText('received text');
    },
  },
  'a restart by the page': { end: (_, page) => call(page, (platform) => platform.restartConversation()) },
  'a logout': {
    end: (_, page) => call(page, (platform) => platform.logout()),
    goBack: (chat) => chat.launcher.click(),
  },
};
const ofThePage: Record<string, Ending> = {
  'closing the window': {
    end: (_, page) => call(page, (platform) => platform.close()),
    goBack: (chat) => chat.launcher.click(),
  },
  'another tab in front': { end: (_, page) => bring(page, true), goBack: (_, page) => bring(page, false) },
  'leaving the page': {
    end: (_, page) => pass(page, 'pagehide'),
    goBack: (_, page) => pass(page, 'pageshow'),
  },
  'switching the field off': {
    end: (_, page) => call(page, (platform) => platform.config({ configuration: { voiceMessages: false } })),
    goBack: (_, page) =>
      call(page, (platform) => platform.config({ configuration: { voiceMessages: true } })),
  },
  'destroying the chat': {
    end: (_, page) => call(page, (platform) => platform.destroy()),
    goBack: (chat) => chat.reopen(),
  },
};

const fromTheMenu = (name: string): Ending => ({
  async end(chat) {
    await chat.window.getByRole('button', { name: 'More', exact: true }).click();
    await chat.window.getByRole('menuitem', { name }).click();
  },
  goBack: (chat) => chat.window.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click(),
});
const ofTheMenu: Record<string, Ending> = {
  'the list of conversations': {
    ...fromTheMenu('Conversations'),
    goBack: (chat) => chat.window.getByRole('button', { name: 'Back to the conversation' }).click(),
  },
  'the address for a mail': fromTheMenu('Send conversation by e-mail'),
  'the question before a deletion': fromTheMenu('Delete my data'),
};

/** Ends a recording, and one that the visitor has not allowed yet, in the same page. */
async function expectDiscardedBy({ end, goBack }: Ending, chat: ChatPage, page: Page): Promise<void> {
  const canRecordAgain = async () => {
    await goBack?.(chat, page);
    await expect(chat.botRows.first()).toBeVisible();
    await expect(record(chat)).toBeEnabled();
    await page.evaluate(() => Object.assign(window.microphone, { tracks: [], answer: undefined }));
  };
  // Sound is recorded in other tests, and is waited for there.
  await record(chat).click();
  await expect(bar(chat).getByRole('timer')).toBeVisible();
  await end(chat, page);
  await expectDiscarded(chat, page);
  await canRecordAgain();

  await page.evaluate(() => {
    window.microphone.answer = new Promise((resolve) => Object.assign(window, { allow: resolve }));
  });
  await record(chat).click();
  await expect.poll(() => tracks(page)).toEqual(['audio live']);
  await end(chat, page);
  await expect(page.locator('[part="voice"][aria-pressed="true"]')).toHaveCount(0);
  await page.evaluate(() => (window as unknown as { allow(): void }).allow());
  await expectDiscarded(chat, page);
  await canRecordAgain();
}

for (const [names, endings] of [
  ['a restart and the question before it, a logout, and a question without a text box', ofTheConversation],
  ['closing the window, hiding or leaving the page, the field and destroy()', ofThePage],
] as const) {
  test(`${names} discard the recording and release the microphone`, async ({ chat, page }) => {
    test.slow();
    await startWithMicrophone(chat);
    for (const [name, ending] of Object.entries(endings)) {
      await test.step(name, () => expectDiscardedBy(ending, chat, page));
    }
  });
}

test.describe('with all dialogs of the menu', () => {
  test.use({
    // Nothing is mailed.
    env: {
      ...scriptedBot,
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'chat@example.com',
      PUBLIC_URL: 'http://127.0.0.1:9',
    },
    attributes: 'data-voice-messages data-transcript-mail data-delete-data',
  });

  test('list and dialogs of the menu discard the recording', async ({ chat, page }) => {
    test.slow();
    await startWithMicrophone(chat);
    for (const [name, ending] of Object.entries(ofTheMenu)) {
      await test.step(name, () => expectDiscardedBy(ending, chat, page));
    }
  });
});

test('texts of the page and of another window do not end the recording', async ({ chat, page }) => {
  await startWithMicrophone(chat);
  const other = await openTab(chat);
  await other.launcher.click();
  await expect(other.botRows.first()).toBeVisible();
  const canSend = chat.window.locator('form > .send');

  await startRecording(chat);
  expect(await page.evaluate(() => (window.platform as Platform).prefill('Of the page'))).toBe(true);
  await expect(chat.window.locator('.box-input')).toHaveValue('Of the page');
  expect(await tracks(page)).toEqual(['audio live']);
  await expect(bar(chat)).toBeVisible();
  await discard(chat).click();
  await expect(chat.input).toHaveValue('Of the page');
  await expect(canSend).toBeEnabled();
  await page.evaluate(() => Object.assign(window.microphone, { tracks: [] }));

  await startRecording(chat);
  await other.input.fill('Of another window');
  await expect(chat.window.locator('.box-input')).toHaveValue('Of another window');
  expect(await tracks(page)).toEqual(['audio live']);
  await send(chat).click();
  await expect.poll(async () => (await audioOf(chat)).length).toBe(1);
  await expect(chat.input).toHaveValue('Of another window');
  await page.evaluate(() => Object.assign(window.microphone, { tracks: [] }));

  // The question for the microphone is not answered yet.
  await page.evaluate(() => {
    window.microphone.answer = new Promise((resolve) => Object.assign(window, { allow: resolve }));
  });
  await record(chat).click();
  await expect.poll(() => tracks(page)).toEqual(['audio live']);
  await other.input.fill('Changed meanwhile');
  await expect(chat.input).toHaveValue('Changed meanwhile');
  await page.evaluate(() => (window as Window & { allow?(): void }).allow?.());
  await expect(bar(chat)).toBeVisible();
  expect(await tracks(page)).toEqual(['audio live']);
  other.expectNoConsoleErrors();
});

test('a double click and a held key record one message, which stays', async ({ chat, page }) => {
  await startWithMicrophone(chat);
  await record(chat).dblclick();
  await expect(bar(chat).getByRole('timer')).toHaveText(/[1-9]/);
  expect(await page.evaluate(() => window.microphone.asked)).toBe(1);
  // The second click of a double click, if the recording has begun between the two.
  for (const button of [send(chat), discard(chat)]) await button.dispatchEvent('click', { detail: 2 });
  expect(await tracks(page)).toEqual(['audio live']);
  await page.keyboard.press('Escape');
  await expect(record(chat)).toBeFocused();

  await page.keyboard.down('Enter');
  await expect(send(chat)).toBeFocused();
  for (let i = 0; i < 3; i++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(bar(chat).getByRole('timer')).toHaveText(/[1-9]/);
  expect(await page.evaluate(() => window.microphone.asked)).toBe(2);
  expect(uploads(chat)).toEqual([]);
  // Everything can be reached with the keyboard.
  await page.keyboard.press('Shift+Tab');
  await expect(discard(chat)).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await audioOf(chat)).length).toBe(1);
});

test('after five minutes the recording ends, and is kept until it is sent', async ({ chat, page }) => {
  await page.clock.install();
  await startWithMicrophone(chat);
  await startRecording(chat);
  await page.clock.fastForward(300_000);
  await expect(bar(chat)).toContainText('The recording has ended. Send it or discard it.');
  await expect(bar(chat).getByRole('timer')).toHaveText(/^05:/);
  await expect.poll(() => tracks(page)).toEqual(['audio ended']);
  expect(uploads(chat)).toEqual([]);
  await send(chat).click();
  await expect.poll(async () => (await audioOf(chat)).length).toBe(1);
});

test('a microphone that is taken away ends the recording, which is kept', async ({ chat, page }) => {
  await startWithMicrophone(chat);
  await startRecording(chat);
  await page.evaluate(() => {
    for (const track of window.microphone.tracks) track.stop();
  });
  await expect(bar(chat)).toContainText('The recording has ended.');
  await discard(chat).click();
  await expectDiscarded(chat, page);
});

test('a page that forbids the microphone tells so', async ({ chat, page, serve, platform }) => {
  const script = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" data-voice-messages async></script>`;
  const url = serve('/forbidden', pageHtml(script), {
    'content-security-policy': strictCsp(platform.url, { media: true }),
    'permissions-policy': 'microphone=()',
  });
  await chat.open(url);
  await chat.input.fill('kept');
  for (let i = 0; i < 2; i++) {
    await record(chat).click();
    await expect.poll(() => page.evaluate(() => window.microphone.asked)).toBe(i + 1);
    await expect(chat.window.locator('.tool-note[role="alert"]')).toHaveText(
      'The microphone cannot be used. Please check the settings of your browser.',
    );
    await expect(record(chat)).toHaveAttribute('aria-pressed', 'false');
  }
  await expect(bar(chat)).toHaveCount(0);
  await expect(chat.input).toHaveValue('kept');
  chat.ignoreConsoleErrors(/policy/i);
});

test('browsers that cannot record have no button', async ({ chat, page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'MediaRecorder', { value: undefined });
  });
  await expectNoRecording(chat);
});

test.describe('with every tool of the composer', () => {
  test.use({
    attributes: 'data-voice-messages data-dictation data-emoji-picker data-allow-file-upload',
    viewport: { width: 320, height: 568 },
    hasTouch: true,
    isMobile: true,
  });

  test('a recording ends the dictation and closes the list of emoji', async ({ chat, page }) => {
    await page.addInitScript(() => {
      const log: string[] = [];
      class Recognition extends EventTarget {
        start() {
          log.push('start');
        }
        stop() {}
        abort() {
          log.push('abort');
        }
      }
      Object.assign(window, { SpeechRecognition: Recognition, webkitSpeechRecognition: Recognition, log });
    });
    await startWithMicrophone(chat);
    await chat.window.getByRole('button', { name: 'Dictate' }).click();
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { log: string[] }).log))
      .toEqual(['start']);
    await chat.window.getByRole('button', { name: 'Emoji' }).click();
    await expect(chat.window.locator('.picker')).toBeVisible();
    await record(chat).click();
    await expect(bar(chat)).toBeVisible();
    await expect(chat.window.locator('.picker')).toHaveCount(0);
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { log: string[] }).log))
      .toEqual(['start', 'abort']);
    await expect(chat.window.getByText('Listening…')).toHaveCount(0);
  });

  for (const dir of ['ltr', 'rtl']) {
    test(`the buttons and the recording fit into one row on a narrow phone, ${dir}`, async ({
      chat,
      page,
      serve,
      platform,
    }) => {
      const tools = 'data-voice-messages data-dictation data-emoji-picker data-allow-file-upload';
      const script = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" ${tools} ${dir === 'rtl' ? 'data-locale="he"' : ''} async></script>`;
      await chat.open(serve(`/narrow-${dir}`, pageHtml(script)));
      const form = page.locator('.composer');
      await expect(form.locator('[part="voice"]')).toBeVisible();
      const boxes = async (selector: string) => {
        const all = await form.locator(selector).all();
        return Promise.all(
          all.map(async (one) => (await one.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }),
        );
      };
      for (const [selector, count] of [
        ['> :is(.tool, .send)', 5],
        ['.recording > *', 4],
      ] as const) {
        if (count === 4) {
          await form.locator('[part="voice"]').click();
          await expect(form.locator('[role="timer"]')).toHaveText(/[1-9]/);
        }
        const found = (await boxes(selector)).sort((a, b) => a.x - b.x);
        expect(found.length).toBe(count);
        const middles = found.map(({ y, height }) => Math.round(y + height / 2));
        expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(1);
        for (const [i, { x, width }] of found.entries()) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x + width).toBeLessThanOrEqual(found[i + 1]?.x ?? 320);
        }
      }
      // The button that sends is at the end of the line.
      const [sending, discarding] = [await boxes('.recording .send'), await boxes('.recording .tool')];
      expect((sending[0]?.x ?? 0) > (discarding[0]?.x ?? 0)).toBe(dir === 'ltr');
    });
  }
});
