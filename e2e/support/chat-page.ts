// A page object for Playwright: a page with the chat, and the messages of the conversation that the server has stored.
import { expect, type Locator, type Page } from '@playwright/test';
import { ChatClient, signUserKey } from '../../src/client/index.ts';
import type { Message } from '../../src/protocol/message.ts';
import type { Configuration } from '../../src/protocol/page-api/config.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { pageHtml } from './host-page.ts';
import type { PlatformServer } from './server.ts';
import { botClientsOf } from './test-data/bot-clients.ts';

/** The secret of the user keys of every server that has no other one: tests that sign keys use the servers of the others. */
export const userKeySecret = 'a secret of these tests, which is long enough for HMAC';

/** The page around the chat: its path, HTML and policy (the strict one; '' is none), and the address of the script. */
interface PageParts {
  path?: string;
  head?: string;
  body?: string;
  doctype?: string;
  /** Attributes of `<html>` and of `<body>`. */
  html?: string;
  bodyAttributes?: string;
  csp?: string;
  src?: string;
}

type Serve = (path: string, html: string, headers?: Record<string, string>) => string;

/** The methods of `window.platform`, whose arguments a test can send to the page. */
type Method = {
  [N in keyof Platform]: Platform[N] extends (...args: never[]) => unknown ? N : never;
}[keyof Platform];

/** A page with the chat: the actions of a visitor and the visible content. */
export class ChatPage {
  readonly page: Page;
  readonly url: string;
  readonly platform: PlatformServer;
  readonly launcher: Locator;
  readonly window: Locator;
  readonly input: Locator;
  readonly rows: Locator;
  readonly botRows: Locator;
  readonly requests: string[] = [];
  /** Console errors, warnings and exceptions of the page. */
  consoleErrors: string[] = [];
  readonly #serve: Serve | undefined;

  constructor(page: Page, url: string, platform: PlatformServer, serve?: Serve) {
    this.#serve = serve;
    this.page = page;
    this.url = url;
    this.platform = platform;
    this.launcher = page.locator('.launcher');
    // By class: each try to find an element by its role and name computes those of all elements, a twentieth of the time of a test.
    // accessibility/keyboard.spec.ts checks the roles and names.
    this.window = page.locator('section.window:not([hidden])');
    this.input = this.window.locator('.box-input');
    this.rows = this.window.locator('.row[data-status]');
    this.botRows = this.window.locator('.row[data-side="bot"][data-status]');
    page.on('request', (request) => this.requests.push(request.url()));
    page.on('pageerror', (error) => this.consoleErrors.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.consoleErrors.push(message.text());
    });
  }

  async goto(url = this.url): Promise<void> {
    await this.page.goto(url);
    await expect(this.launcher).toBeVisible();
  }

  /** Loads a third-party page whose script tag has these attributes. Without a launcher it is still loading. */
  async load(attributes = '', parts: PageParts = {}): Promise<void> {
    const {
      path = '/page',
      html = 'lang="en"',
      bodyAttributes = '',
      csp,
      src = `${this.platform.chatUrl}/webchat.js`,
    } = parts;
    const text = pageHtml(`<script nonce="n0nce" src="${src}" ${attributes}></script>`, parts)
      .replace('<html lang="en">', `<html ${html}>`)
      .replace('<body>', `<body ${bodyAttributes}>`);
    const headers: Record<string, string> = csp ? { 'content-security-policy': csp } : {};
    await this.page.goto(this.#serve?.(path, text, csp === undefined ? undefined : headers) ?? '');
  }

  /** Opens the window by the launcher, and waits for a message of the bot. */
  async openWindow(): Promise<void> {
    await this.launcher.click();
    await expect(this.botRows.first()).toBeVisible();
  }

  /** Closes the window by its button. */
  async close(): Promise<void> {
    await this.window.getByRole('button', { name: 'Close chat' }).click();
    await expect(this.window).toBeHidden();
  }

  /** Calls a method of `window.platform`, as a script of the page does. */
  call<M extends Method>(
    method: M,
    ...args: Parameters<Platform[M]>
  ): Promise<Awaited<ReturnType<Platform[M]>>> {
    const result: Promise<unknown> = this.page.evaluate<unknown, [string, unknown[]]>(
      ([name, given]) => {
        const platform = window.platform as unknown as Record<string, (...args: unknown[]) => unknown>;
        return platform[name]?.(...given);
      },
      [method, args],
    );
    return result as Promise<Awaited<ReturnType<Platform[M]>>>;
  }

  /** Changes the configuration, as a script of the page does. */
  configure(configuration: object): Promise<void> {
    return this.call('config', { configuration });
  }

  /** Loads the page and presses the launcher. */
  async open(url = this.url): Promise<void> {
    await this.goto(url);
    await this.launcher.click();
  }

  /** Opens the window and waits for the bot's greeting, after which the conversation is ready. */
  async startConversation(url = this.url): Promise<void> {
    await this.open(url);
    await expect(this.botRows.first()).toContainText('I am the demo bot');
  }

  /** Loads the page again and presses the launcher. */
  async reopen(): Promise<void> {
    await this.page.reload();
    await this.launcher.click();
  }

  /** The page identifies a user whom the server does not know. Returns the key of that user. */
  async identifyCustomer(): Promise<string> {
    const key = await signUserKey({ id: `customer-${Date.now()}`, secret: userKeySecret });
    await this.page.evaluate((userKey) => (window.platform as Platform).identify(userKey), key);
    return key;
  }

  /** Chooses an item of the menu. */
  async choose(name: string): Promise<void> {
    await this.window.getByRole('button', { name: 'More', exact: true }).click();
    await this.window.getByRole('menuitem', { name }).click();
  }

  /** Chooses files with the button of the composer. */
  async attach(files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
    const choosing = this.page.waitForEvent('filechooser');
    await this.window.getByRole('button', { name: 'Attach files' }).click();
    await (await choosing).setFiles(files);
  }

  async send(text: string): Promise<void> {
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  /** Sends a message and waits for the demo bot's echo. */
  async exchange(text: string): Promise<void> {
    await this.send(text);
    await expect(this.botRows.filter({ hasText: `You said: “${text}”` })).toHaveCount(1);
  }

  /** The visible text of every message, in order. */
  texts(): Promise<string[]> {
    return this.rows.locator('.text').allInnerTexts();
  }

  /** Records every event of `window.platform` in `seen.events`. */
  recordEvents(): Promise<void> {
    return this.page.evaluate(() => {
      (window.platform as Platform).on('*', ({ type, payload }) => {
        const data = payload instanceof Error ? { ...payload, message: payload.message } : payload;
        window.seen.events.push({ type, payload: data });
      });
    });
  }

  events(): Promise<{ type: string; payload: unknown }[]> {
    return this.page.evaluate(() => window.seen.events);
  }

  async eventTypes(): Promise<string[]> {
    return (await this.events()).map(({ type }) => type);
  }

  /** The session that the browser has stored. */
  storedSession(): Promise<{ userKey?: string; userId?: string; conversationId?: string; draft?: string }> {
    return this.page.evaluate(
      (key) => JSON.parse(localStorage.getItem(key) ?? '{}'),
      `platform-webchat:${this.platform.chatUrl}`,
    );
  }

  /** A client of the visitor, as on another device, and the conversation of this one. */
  async visitor(): Promise<{ client: ChatClient; conversationId: string }> {
    const { userKey, conversationId = '' } = await this.storedSession();
    return { client: new ChatClient({ chatUrl: this.platform.chatUrl, userKey }), conversationId };
  }

  /** Sends texts from another device of the visitor. */
  async sendElsewhere(...texts: string[]): Promise<void> {
    const { client, conversationId } = await this.visitor();
    for (const text of texts) await client.createMessage({ conversationId, payload: { type: 'text', text } });
  }

  /** The messages that the server has stored, oldest first. */
  async serverMessages(): Promise<Message[]> {
    const { client, conversationId } = await this.visitor();
    if (!conversationId) throw new Error('The browser has stored no conversation.');
    return (await client.list.messages({ conversationId }).collect()).reverse();
  }

  async serverTexts(): Promise<string[]> {
    return (await this.serverMessages()).map(({ payload }) =>
      'text' in payload ? payload.text : payload.type,
    );
  }

  /** Removes the console errors that the test has caused: those that contain the text or match the pattern. */
  ignoreConsoleErrors(expected: string | RegExp): void {
    this.consoleErrors = this.consoleErrors.filter((line) =>
      typeof expected === 'string' ? !line.includes(expected) : !expected.test(line),
    );
  }

  expectNoConsoleErrors(): void {
    expect(this.consoleErrors).toEqual([]);
  }

  /** Distance of the scroll position from the end, in pixels. */
  distanceFromEnd(): Promise<number> {
    return this.window.locator('.viewport').evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight);
  }

  /** Stores the configuration of the bot, as an administrator. */
  async storeConfiguration(configuration: Configuration): Promise<void> {
    const { admin, botId } = await botClientsOf(this.platform);
    await admin.setBotWebchat({ id: botId, configuration });
  }

  /** Sends instructions to the scripted bot (scripted-bot.js), as a message of the visitor. */
  instructBot(orders: object): Promise<void> {
    return this.sendElsewhere(JSON.stringify(orders));
  }

  /** Makes the scripted bot send this payload, and returns its row. */
  async botReplies(payload: object): Promise<Locator> {
    const before = await this.botRows.count();
    await this.instructBot({ reply: [payload] });
    await expect(this.botRows).toHaveCount(before + 1);
    return this.botRows.nth(before);
  }
}
