// Proactive messages with rules: which one is shown, when and how often, and that it does not disturb visitors.
import type { Page } from '@playwright/test';
import type { ProactiveRule } from '../../src/protocol/page-api/proactive.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';

declare global {
  interface Window {
    delays: number[];
  }
}

const greeting = (page: Page) => page.locator('.greeting');

/** Resolves when the bundle with the rules has been evaluated. */
const rulesLoaded = (page: Page) =>
  page.waitForResponse(/\/host-page-.*\.js/).then((response) => response.finished());

const frames = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

/** Sets the rules, and waits until they are watched: a message by rule without conditions would be shown first. */
async function watchRules(chat: ChatPage, proactive: ProactiveRule[]): Promise<void> {
  const loaded = rulesLoaded(chat.page);
  await chat.configure({ proactive });
  await loaded;
  await frames(chat.page);
}

const now = { delaySeconds: 0 };

test('the first message whose conditions hold is shown, politely, and without the code of the chat', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.goto();
  const link = page.getByRole('link', { name: 'A link of the page' });
  await link.focus();
  await chat.configure({
    proactive: [
      { id: 'away', text: 'Elsewhere', when: { ...now, url: '/elsewhere*' } },
      { id: 'here', text: 'Can I **help**?', when: now },
      { id: 'later', text: 'Too late', when: now },
    ],
  });
  await expect(page.getByRole('status').filter({ hasText: 'Can I **help**?' })).toBeVisible();
  await expect(greeting(page)).toHaveCount(1);
  await expect(link).toBeFocused();
  expect(chat.requests.filter((url) => url.includes('/users') || url.includes('/conversations'))).toEqual([]);
  await greeting(page).getByText('Can I').click();
  await expect(chat.botRows).toHaveCount(1);
  await expect(greeting(page)).toHaveCount(0);
});

test('a visitor sees a message once, the next one on the next page, and none in this session after dismissing one', async ({
  chat,
  page,
}) => {
  const proactive: ProactiveRule[] = [
    { id: 'one', text: 'First', when: now },
    { id: 'two', text: 'Second', show: 'session', when: now },
    { id: 'three', text: 'Third', show: 'always', when: now },
  ];
  for (const text of ['First', 'Second', 'Third', 'Third']) {
    await chat.goto();
    await chat.configure({ proactive });
    await expect(greeting(page)).toHaveText(new RegExp(text));
  }
  // Another session of the browser.
  await page.evaluate(() => sessionStorage.clear());
  await chat.goto();
  await chat.configure({ proactive });
  await expect(greeting(page)).toHaveText(/Second/);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(greeting(page)).toHaveCount(0);
  await expect(chat.launcher).toBeFocused();
  await chat.goto();
  await watchRules(chat, proactive);
  await expect(greeting(page)).toHaveCount(0);
});

test('scrolling, the address of a single-page application and leaving by the upper edge are noticed', async ({
  chat,
  page,
}) => {
  const load = () => chat.load('', { body: '<div style="height:5000px"></div><p>The end</p>', csp: '' });
  const silent = async (id: string, when: object) => {
    await load();
    await watchRules(chat, [{ id, text: id, when: { ...now, ...when } }]);
    await expect(greeting(page)).toHaveCount(0);
  };
  await silent('scrolled', { scrollPercent: 100 });
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
  await frames(page);
  await expect(greeting(page)).toHaveCount(0);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(greeting(page)).toHaveText(/scrolled/);

  await silent('address', { url: ['/none', '/prices/*?sort=*'] });
  await page.evaluate(() => {
    history.pushState({}, '', '/prices/all?sort=name');
    // The visitor does something on the new page.
    document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  });
  await expect(greeting(page)).toHaveText(/address/);

  await silent('leaving', { exit: true });
  const leave = (clientY: number) =>
    page.evaluate((clientY) => {
      document.documentElement.dispatchEvent(new MouseEvent('mouseleave', { clientY }));
    }, clientY);
  await leave(300);
  await frames(page);
  await expect(greeting(page)).toHaveCount(0);
  await leave(-1);
  await expect(greeting(page)).toHaveText(/leaving/);

  await load();
  await chat.configure({ proactive: [{ id: 'idle', text: 'idle', when: { ...now, idleSeconds: 1 } }] });
  await expect(greeting(page)).toHaveText(/idle/);
});

test('never while the window is open or after it was opened, and not while the launcher is hidden', async ({
  chat,
  page,
}) => {
  const show = (id: string) => chat.configure({ proactive: [{ id, text: id, when: now }] });
  await chat.goto();
  await chat.call('hide');
  await watchRules(chat, [{ id: 'First', text: 'First', when: now }]);
  await expect(greeting(page)).toHaveCount(0);
  await chat.call('show');
  await expect(greeting(page)).toHaveText(/First/);
  await page.reload();
  await chat.openWindow();
  await show('Second');
  await frames(page);
  await page.keyboard.press('Escape');
  await expect(chat.window).toBeHidden();
  await show('Third');
  await frames(page);
  await expect(greeting(page)).toHaveCount(0);
});

test('a returning visitor is one who was here in an earlier session', async ({ chat, page }) => {
  const proactive: ProactiveRule[] = [
    { id: 'back', text: 'Welcome back', show: 'always', when: { ...now, returning: true } },
    { id: 'new', text: 'Welcome', show: 'always', when: { ...now, returning: false } },
  ];
  for (const text of [/^Welcome×/, /^Welcome×/, /back/, /back/]) {
    if (text.source === 'back') await page.evaluate(() => sessionStorage.clear());
    await chat.goto();
    await chat.configure({ proactive });
    await expect(greeting(page)).toHaveText(text);
  }
});

test('attributes of the user and the language select the message', async ({ chat, page }) => {
  await chat.load('data-manual');
  await chat.call('init', {
    user: { data: { plan: 'team' } },
    configuration: {
      locale: 'de-AT',
      proactive: [
        { id: 'free', text: 'Free', when: { ...now, user: { plan: 'free' } } },
        { id: 'swedish', text: { sv: 'Hej' }, when: now },
        {
          id: 'team',
          text: { en: 'Team?', de: 'Fragen zum Team?' },
          when: { ...now, user: { plan: ['team', 'company'] } },
        },
      ],
    },
  });
  await expect(greeting(page)).toHaveText(/Fragen zum Team\?/);
  await expect(page.getByRole('button', { name: 'Ausblenden' })).toBeVisible();
  await expect(chat.launcher).toBeVisible();
});

test('a language that arrives between the message and its first frame names the button', async ({
  chat,
  page,
}) => {
  // The first frame of the message waits for the language.
  await page.addInitScript(() => {
    const { requestAnimationFrame } = window;
    window.requestAnimationFrame = (draw) =>
      requestAnimationFrame((time) => {
        const isReady = document.documentElement.hasAttribute('data-language-applied');
        if (isReady) draw(time);
        else window.requestAnimationFrame(draw);
      });
  });
  await chat.goto();
  const translated = page.waitForResponse(/\/de-.*\.js/);
  await chat.configure({ locale: 'de', proactiveMessage: 'Fragen?', proactiveDelay: 0 });
  await expect(greeting(page)).toHaveCount(1);
  await (await translated).finished();
  await expect(chat.launcher).toHaveAccessibleName('Chat öffnen');
  await page.evaluate(() => document.documentElement.setAttribute('data-language-applied', ''));
  await expect(page.getByRole('button', { name: 'Ausblenden' })).toBeVisible();
});

test('rules work when storage is blocked, destroy ends them, and wrong rules are reported', async ({
  chat,
  page,
}) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    }
  });
  await chat.goto();
  await chat.configure({ proactive: [{ id: 'one', text: 'First', when: { ...now, returning: false } }] });
  await expect(greeting(page)).toHaveText(/First/);
  await chat.configure({ proactive: [{ id: 'two', text: 'Second', when: { delay: 5 } as never }] });
  await expect
    .poll(() => chat.consoleErrors.splice(0))
    .toContain(
      "[platform] Configuration: 'proactive' must be a list of {id, text, show, when} with different ids; when: {delaySeconds, idleSeconds, scrollPercent, url, exit, returning, user}.",
    );
  await expect(greeting(page)).toHaveCount(0);
  await chat.configure({ proactive: [{ id: 'three', text: 'Third', when: { delaySeconds: 3_600 } }] });
  await chat.call('destroy');
  await expect(page.locator('platform-webchat')).toHaveCount(0);
});

test('a delay beyond the longest timer of a browser is not checked all the time', async ({ chat, page }) => {
  await page.addInitScript(() => {
    window.delays = [];
    const { setTimeout } = window;
    window.setTimeout = ((run: () => void, delay = 0) => {
      window.delays.push(delay);
      return setTimeout(run, delay);
    }) as typeof window.setTimeout;
  });
  await chat.goto();
  await watchRules(chat, [
    { id: 'never', text: 'Never', when: { delaySeconds: 1e300 } },
    { id: 'month', text: 'In a month', when: { delaySeconds: 0, idleSeconds: 2_600_000 } },
  ]);
  await expect.poll(() => page.evaluate(() => Math.max(...window.delays))).toBeGreaterThan(1e9);
  await frames(page);
  // A longer delay counts as 0.
  expect(await page.evaluate(() => Math.max(...window.delays))).toBeLessThan(2 ** 31);
});

test('an action of the visitor reads the storage a few times, however many rules there are', async ({
  chat,
  page,
}) => {
  await chat.goto();
  await watchRules(
    chat,
    Array.from({ length: 1_000 }, (_, i) => ({ id: `rule ${i}`, text: 'Hello', when: { url: '/none' } })),
  );
  const reads = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let count = 0;
        const { getItem } = Storage.prototype;
        Storage.prototype.getItem = function (key) {
          count++;
          return getItem.call(this, key);
        };
        for (let i = 0; i < 20; i++)
          document.body.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }));
        setTimeout(() => resolve(count), 50);
      }),
  );
  expect(reads).toBeLessThan(20);
});

test('a long message leaves room to dismiss it, and its end can be reached', async ({ chat, page }) => {
  await chat.goto();
  await chat.configure({ proactive: [{ id: 'long', text: 'A long message. '.repeat(400), when: now }] });
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  await expect(dismiss).toBeInViewport({ ratio: 1 });
  const text = greeting(page).locator('.greeting-text');
  expect(await text.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true);
  await expect(text).toHaveCSS('overflow-y', 'auto');
  // The first line is not above the part that can be scrolled to.
  const first = await text.evaluate((button) => {
    const range = document.createRange();
    range.setStart(button.firstChild as Node, 0);
    range.setEnd(button.firstChild as Node, 1);
    return range.getBoundingClientRect().top - button.getBoundingClientRect().top;
  });
  expect(first).toBeGreaterThanOrEqual(0);
  await dismiss.click();
  await expect(greeting(page)).toHaveCount(0);
});

test('destroy with forget also removes what the rules have stored', async ({ chat, page }) => {
  await chat.goto();
  await chat.configure({
    proactive: [
      { id: 'one', text: 'First', show: 'session', when: now },
      { id: 'two', text: 'Second', when: { returning: true } },
    ],
  });
  await expect(greeting(page)).toHaveText(/First/);
  const stored = () =>
    page.evaluate(() => [localStorage, sessionStorage].flatMap((storage) => Object.keys(storage)));
  expect(await stored()).toHaveLength(2);
  await chat.call('destroy', { forget: true });
  expect(await stored()).toEqual([]);
});
