// The fixture of the tests of the inbox: members with tokens, visitors who ask for a person, and a page object for each member.
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Route } from '@playwright/test';
import { AdminClient, ChatClient } from '../../src/client/index.ts';
import type { Role } from '../../src/protocol/permissions.ts';
import { violationsInBothSchemes } from '../support/axe.ts';
import { test as base, expect } from '../support/fixtures.ts';
import type { PlatformServer } from '../support/server.ts';
import { botClientsOf } from '../support/test-data/bot-clients.ts';

export interface InboxMember {
  id: string;
  name: string;
  token: string;
  tokenId: string;
}

/** A visitor in a conversation, without a browser. */
export interface ApiVisitor {
  conversationId: string;
  client: ChatClient;
  say(text: string): Promise<void>;
  texts(): Promise<string[]>;
}

/** The page of a member: its panes and actions. */
export class InboxPage {
  readonly page: Page;
  readonly rows: Locator;
  readonly conversation: Locator;
  readonly entries: Locator;
  readonly composer: Locator;
  readonly dialog: Locator;
  readonly #platform: PlatformServer;
  /** Console errors, warnings and exceptions, without those of refused requests. */
  readonly consoleErrors: string[] = [];
  readonly hosts = new Set<string>();

  constructor(page: Page, platform: PlatformServer) {
    this.page = page;
    this.#platform = platform;
    this.rows = page.locator('.list .row');
    this.conversation = page.getByRole('region', { name: 'Conversation' });
    this.entries = this.conversation.locator('.transcript li:not(.day)');
    this.composer = this.conversation.locator('.composer textarea');
    this.dialog = page.getByRole('dialog');
    page.on('request', (request) => this.hosts.add(new URL(request.url()).origin));
    page.on('pageerror', (error) => this.consoleErrors.push(String(error)));
    page.on('console', (message) => {
      if (!['error', 'warning'].includes(message.type())) return;
      if (!/^Failed to load resource/.test(message.text())) this.consoleErrors.push(message.text());
    });
  }

  /**
   * Signs in with a one-time link and waits for the list. The link is used without its page, which `e2e/inbox/sign-in.spec.ts`
   * tests. `path`: the query of the address.
   */
  async open(member: InboxMember, path = ''): Promise<void> {
    const origin = this.#platform.url;
    const admin = new AdminClient({ apiUrl: origin, ...this.#platform.admin });
    const { url = '' } = await admin.createMemberLink({ id: member.id, purpose: 'sign-in' });
    const [, token] = new URL(url).hash.split('=');
    // The browser gets the cookie of the answer.
    const answer = await this.page.request.post(`${origin}/v1/session/link/use`, {
      headers: { 'sec-fetch-site': 'same-origin' },
      data: { token },
    });
    expect(answer.status()).toBe(200);
    await this.page.goto(`${origin}/console/${path}`);
    await expect(this.page.locator('.inbox')).toBeVisible();
  }

  /** The row of a visitor. */
  row(name: string): Locator {
    return this.rows.filter({ hasText: name });
  }

  /** Switches the text box to notes, by the key. */
  async beginNote(): Promise<void> {
    await this.page.keyboard.press('n');
    await expect(this.composer).toHaveAttribute('placeholder', /for your team/);
    await expect(this.composer).toBeFocused();
  }

  async send(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Control+Enter');
  }

  /** Findings of axe on the whole page, in light and dark. */
  violations(): Promise<string[]> {
    return violationsInBothSchemes(this.page, 'html', { sign: 'color-contrast' });
  }
}

interface OpenOptions extends BrowserContextOptions {
  as?: string;
  role?: Role;
  list?: string;
}

interface Opened {
  inbox: InboxPage;
  page: Page;
  member: InboxMember;
  visitor: ApiVisitor;
  /** The address of the conversation in the inbox, for another member. */
  path: string;
}

interface Fixtures {
  /** Data that a test has created, to be deleted after it: the lists of the tests after it stay short, which axe reads completely. */
  created: { members: InboxMember[]; visitors: ApiVisitor[] };
  /** Adds a member of the workspace with a personal token. */
  member(name: string, role?: Role): Promise<InboxMember>;
  /** Opens a browser of a member. */
  openInbox(member: InboxMember, path?: string, options?: BrowserContextOptions): Promise<InboxPage>;
  /** A new visitor who asks for a person through the bot, unless `asks` is false. */
  visitor(name: string, options?: { asks?: boolean; note?: string }): Promise<ApiVisitor>;
  /** A new visitor who asks for a person, and the conversation in the page of a new member. */
  openConversation(visitor: string, options?: OpenOptions): Promise<Opened>;
  /** Asks for a person, as the bot does. */
  handOff(conversationId: string, options?: { reason?: string; note?: string }): Promise<void>;
}

export const test = base.extend<Fixtures>({
  created: async ({ platform }, use) => {
    const created: Fixtures['created'] = { members: [], visitors: [] };
    await use(created);
    const admin = new AdminClient({ apiUrl: platform.url, ...platform.admin });
    // The test may have deleted some of it.
    await Promise.allSettled([
      ...created.members.map(({ id }) => admin.deleteWorkspaceMember({ id })),
      ...created.visitors.map(({ client, conversationId }) =>
        client.deleteConversation({ id: conversationId }),
      ),
    ]);
  },
  member: async ({ platform, created }, use) => {
    const admin = new AdminClient({ apiUrl: platform.url, ...platform.admin });
    await use(async (name, role = 'support') => {
      const email = `${name.toLowerCase().replace(/[^a-z0-9]/g, '')}-${crypto.randomUUID()}@example.com`;
      const { id } = await admin.createWorkspaceMember({ email, role, displayName: name });
      const { token, value } = await admin.createToken({ name: 'e2e', kind: 'personal', memberId: id });
      const one = { id, name, token: value, tokenId: token.id };
      created.members.push(one);
      return one;
    });
  },
  // Its pages are closed before what was created is deleted.
  openInbox: async ({ browser, platform, contextOptions, created: _ }, use) => {
    const pages: InboxPage[] = [];
    const contexts: BrowserContext[] = [];
    await use(async (member, path, options = {}) => {
      const context = await newContext(browser, { ...contextOptions, ...options });
      contexts.push(context);
      const inbox = new InboxPage(await context.newPage(), platform);
      pages.push(inbox);
      await inbox.open(member, path);
      return inbox;
    });
    for (const { consoleErrors, hosts } of pages) {
      expect(consoleErrors).toEqual([]);
      // Nothing of other servers is loaded.
      expect([...hosts]).toEqual([platform.url]);
    }
    await Promise.all(contexts.map((context) => context.close()));
  },
  openConversation: async ({ member, openInbox, visitor }, use) => {
    await use(async (name, { as = 'Ada', role, list = 'all', ...options } = {}) => {
      const one = await visitor(name);
      const path = `?list=${list}&conversation=${one.conversationId}`;
      const ofMember = await member(as, role);
      const inbox = await openInbox(ofMember, path, options);
      await expect(inbox.conversation.getByRole('heading', { name })).toBeVisible();
      return { inbox, page: inbox.page, member: ofMember, visitor: one, path };
    });
  },
  handOff: async ({ platform }, use) => {
    const { runtime } = await botClientsOf(platform);
    await use(async (id, { reason = 'refund', note } = {}) => {
      await runtime.requestHandoff({ id, reason, ...(note && { note }) });
    });
  },
  visitor: async ({ platform, handOff, created }, use) => {
    await use(async (name, { asks = true, note } = {}) => {
      const { key } = await new ChatClient({ chatUrl: platform.chatUrl }).createUser({ name });
      const client = new ChatClient({ chatUrl: platform.chatUrl, userKey: key });
      const { conversation } = await client.createConversation({});
      const conversationId = conversation.id;
      if (asks) await handOff(conversationId, note ? { note } : {});
      const one: ApiVisitor = {
        conversationId,
        client,
        async say(text) {
          await client.createMessage({ conversationId, payload: { type: 'text', text } });
        },
        async texts() {
          const messages = await client.list.messages({ conversationId }).collect();
          return messages.reverse().map(({ payload }) => ('text' in payload ? payload.text : payload.type));
        },
      };
      created.visitors.push(one);
      return one;
    });
  },
});

/** Whether visitors and members see what the other side has read. A test sets it back: others use the server, too. */
export async function setReadReceipts({ url, admin }: PlatformServer, readReceipts: boolean): Promise<void> {
  const client = new AdminClient({ apiUrl: url, ...admin });
  for (const { id } of (await client.listBots({})).bots) await client.setBotDeployment({ id, readReceipts });
}

/** A phone, for `openInbox`. */
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 780 },
  hasTouch: true,
  isMobile: true,
};

/** Answers a request with an error after which the page does not ask again by itself. */
export const refuse = (route: Route): Promise<void> =>
  route.fulfill({ status: 400, json: { id: '', code: 400, type: 'InvalidQuery', message: 'Refused.' } });

const newContext = (browser: Browser, options: BrowserContextOptions) => browser.newContext(options);

export { expect };
