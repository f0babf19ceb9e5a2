// The states of the console and of the sign-in. Each begins at an address.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Route } from '@playwright/test';
import { expect } from '../support/fixtures.ts';
import type { Scene, ShopStage, State } from './state.ts';

/** The page of a member, who has signed in. */
const signedInAs =
  (who: 'owner' | 'viewer') =>
  async ({ page, platform, shop }: ShopStage) => {
    await page.context().clearCookies();
    // The browser gets the cookie of the answer.
    const answer = await page.request.post(`${platform.url}/v1/session/password`, {
      headers: { 'sec-fetch-site': 'same-origin' },
      data: shop[who],
    });
    expect(answer.status()).toBe(200);
  };

/** Loads an address of the console; `query` begins with `?`. */
async function openConsole({ page, platform }: ShopStage, query: string): Promise<void> {
  // Without the drafts of the state before.
  if (page.url().startsWith(platform.url)) await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
  await page.goto(`${platform.url}/console/${query}`);
  await expect(page.getByRole('navigation', { name: 'Console' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
  await expect(page.getByText('Loading…')).toHaveCount(0);
}

export type Query = string | ((stage: ShopStage) => string);

export interface ConsoleState extends State<ShopStage> {
  /** The query of the address that it begins at. */
  query: Query;
}

/** A state at an address: `go` leads on from there. */
export const at = (
  name: string,
  query: Query,
  go: (stage: ShopStage) => Promise<unknown> = async () => {},
  isForced = false,
): ConsoleState => ({
  name,
  query,
  isForced,
  async enter(stage) {
    await openConsole(stage, typeof query === 'string' ? query : query(stage));
    await go(stage);
  },
});

export const ofBot = (tab: string) => (stage: ShopStage) => `?page=bots&bot=${stage.shop.botId}&tab=${tab}`;
const ofNewBot = (tab: string) => (stage: ShopStage) => `?page=bots&bot=${stage.shop.newBotId}&tab=${tab}`;
export const ofVisitor =
  (name: string, list = 'all', more = '') =>
  (stage: ShopStage) =>
    `?list=${list}&conversation=${stage.shop.conversations[name]}${more}`;
const dialogOf = (page: ShopStage['page']) => page.getByRole('dialog');
const press =
  (name: string | RegExp) =>
  async ({ page }: ShopStage) => {
    await page.getByRole('button', { name }).first().click();
    await expect(dialogOf(page)).toBeVisible();
  };
/** Chooses an action of a row, which is in its menu. */
const choose =
  (action: string, name: string) =>
  async ({ page }: ShopStage) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: `${action} ${name}` }).click();
    await expect(dialogOf(page)).toBeVisible();
  };
export const isThere =
  (text: string | RegExp) =>
  ({ page }: ShopStage) =>
    expect(page.getByText(text).first()).toBeVisible();
/** The conversation is open: its last message is there. */
const isOpen =
  (text: string) =>
  ({ page }: ShopStage) =>
    expect(page.locator('.transcript').getByText(text).first()).toBeVisible();
const keys =
  (...all: string[]) =>
  async ({ page }: ShopStage) => {
    await expect(page.locator('.transcript li').first()).toBeVisible();
    for (const key of all) await page.keyboard.press(key);
  };
/** Opens a dialog of the inbox with a key. */
const openDialog =
  (...all: string[]) =>
  async (stage: ShopStage) => {
    await keys(...all)(stage);
    await expect(dialogOf(stage.page)).toBeVisible();
  };
export const grace = ofVisitor('Grace Okafor', 'mine');

/** Changes the answers to requests, whose patterns are the keys. */
type Changes = Record<string, (route: Route) => Promise<void>>;

/** A state at an address for which the server answers in another way. */
function changed(
  name: string,
  query: Query,
  changes: Changes,
  go: (stage: ShopStage) => Promise<unknown>,
): ConsoleState {
  const state = at(name, query, go);
  return {
    ...state,
    async enter(stage) {
      for (const [pattern, change] of Object.entries(changes)) await stage.page.route(pattern, change);
      await state.enter(stage);
    },
    leave: ({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }),
  };
}

/** A state in which the server refuses what the page asks for: the page says so, and offers to repeat it. */
const refused = (name: string, query: Query, pattern: string): ConsoleState =>
  changed(
    name,
    query,
    {
      [pattern]: (route) =>
        route.fulfill({
          status: 400,
          json: { id: '', code: 400, type: 'InvalidQuery', message: 'The server cannot read this now.' },
        }),
    },
    ({ page }) => expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible(),
  );

/** Forty conversations in place of those of the list. */
async function manyConversations(route: Route): Promise<void> {
  const response = await route.fetch();
  const { conversations, meta } = await response.json();
  const rows = Array.from({ length: 40 }, (_, index) => {
    const row = conversations[index % conversations.length];
    const since = new Date(Date.parse(row.sortAt) - index * 7 * 60_000).toISOString();
    return {
      ...row,
      conversationId: `conv_${index}`,
      visitor: { ...row.visitor, name: `Visitor ${index + 1}` },
      sortAt: since,
      ...(row.waitingSince && { waitingSince: since }),
    };
  });
  await route.fulfill({ response, json: { conversations: rows, meta } });
}

/** Forty messages in place of those of the conversation. */
async function manyMessages(route: Route): Promise<void> {
  const response = await route.fetch();
  const timeline = await response.json();
  const messages = Array.from({ length: 40 }, (_, index) => {
    // Newest first; each third one answers.
    const message = timeline.messages[index % 3 === 0 ? 0 : timeline.messages.length - 2];
    const createdAt = new Date(Date.parse(timeline.messages[0].createdAt) - index * 60_000).toISOString();
    const text = `Message ${40 - index} of a long conversation`;
    return { ...message, id: `msg_${index}`, createdAt, payload: { type: 'text', text } };
  });
  await route.fulfill({ response, json: { ...timeline, messages } });
}

export const inboxStates: ConsoleState[] = [
  at('all lists', '', undefined),
  at('mine', '?list=mine', isThere('Grace Okafor'), true),
  at('unassigned', '?list=unassigned', isThere('Omar Haddad')),
  at('answered by the bot', '?list=bot', isThere('Kim Larsen')),
  at('closed', '?list=closed', isThere('Paul')),
  at('put aside', '?list=snoozed', isThere('Mia')),
  at('waiting for an answer', '?list=waiting', isThere('Grace Okafor')),
  at('an empty list', '?list=mentioned'),
  at('all visitors', '?visitors=', isThere('Grace Okafor')),
  at('a search', '?list=all&q=frame', isThere('Grace Okafor')),
  at('a search without a result', '?list=all&q=xyzzy'),
  at('filter and order', '?list=all', async ({ page }) => {
    await page.getByRole('button', { name: 'Filter and order' }).click();
    await expect(page.getByRole('combobox', { name: 'Order' })).toBeVisible();
  }),
  at('an open conversation', grace, isOpen('That is wonderful!'), true),
  at('a reply', grace, async (stage) => {
    await keys('r')(stage);
    await stage.page
      .locator('.composer textarea')
      .fill('I will send you the number of the **parcel** today.');
  }),
  at('a note', grace, async (stage) => {
    await keys('n')(stage);
    await stage.page.locator('.composer textarea').fill('A frame of the same color is on its way.');
  }),
  at('a colleague is mentioned', grace, async (stage) => {
    await keys('n')(stage);
    await stage.page.locator('.composer textarea').pressSequentially('@');
    await expect(stage.page.getByRole('option').first()).toBeVisible();
  }),
  at(
    'the data of the visitor',
    ofVisitor('Grace Okafor', 'mine', '&pane=visitor'),
    isThere('Requests for a person'),
  ),
  at('a conversation that waits', ofVisitor('Omar Haddad', 'unassigned'), isOpen('Can I change the address')),
  at('a conversation with the bot', ofVisitor('Kim Larsen', 'bot'), isOpen('The lamp flickers')),
  at('a closed conversation', ofVisitor('Paul', 'closed'), isOpen('You are welcome.')),
  at(
    'a long name and text',
    ofVisitor('Bartholomäus von Hohenzollern-Sigmaringen', 'unassigned'),
    isOpen('I have a long question'),
  ),
  at('keys', grace, openDialog('?')),
  at('all actions', grace, openDialog('Control+k')),
  at('assign', grace, openDialog('a')),
  at('labels', grace, openDialog('l')),
  at('put aside until', grace, openDialog('z')),
  at('canned answers', grace, openDialog('r', '/')),
  at('reports', '?report=30d', async ({ page }) => {
    await expect(page.getByRole('heading', { name: 'Times', level: 2 })).toBeVisible();
  }),
  changed(
    'many conversations',
    '?list=all',
    { '**/v1/inbox/conversations?*': manyConversations },
    isThere('Visitor 9'),
  ),
  changed(
    'many messages',
    grace,
    { '**/v1/inbox/conversations/*/timeline*': manyMessages },
    isOpen('Message 40 of a long conversation'),
  ),
  ...(
    [
      ['the list', '?list=all', '**/v1/inbox/conversations?*'],
      ['the conversation', grace, '**/v1/inbox/conversations/*/timeline*'],
      ['the visitors', '?visitors=', '**/v1/inbox/visitors*'],
      ['the report', '?report=30d', '**/v1/inbox/report?*'],
      ['the teams', '?settings=teams', '**/v1/inbox/teams*'],
      ['the opening hours', '?settings=hours', '**/v1/inbox/opening-hours'],
      ['the canned answers', '?settings=answers', '**/v1/inbox/canned-answers*'],
    ] as const
  ).map(([what, query, request]) => refused(`${what} cannot be loaded`, query, request)),
  changed(
    'the code of the reports cannot be loaded',
    '?report=30d',
    { '**/assets/Reports-*.js': (route) => route.abort() },
    isThere('The reports could not be loaded.'),
  ),
  at('settings: teams', '?settings=teams', isThere('Repairs')),
  at('settings: opening hours', '?settings=hours'),
  at('settings: canned answers', '?settings=answers', isThere('Greeting')),
];

export const consoleStates: ConsoleState[] = [
  at('first steps: look', '?page=start&step=look', ({ page }) =>
    expect(page.frameLocator('iframe').locator('.row').first()).toBeVisible(),
  ),
  ...['answers', 'knowledge', 'hours', 'install'].map((step) =>
    at(`first steps: ${step}`, `?page=start&step=${step}`),
  ),
  at('bots', '?page=bots', isThere('Repairs')),
  at('bots: a new one', '?page=bots', press('New bot')),
  at('bots: delete one', '?page=bots', press('Delete Repairs')),
  ...['answers', 'knowledge', 'appearance', 'people', 'privacy', 'install'].flatMap((tab) => [
    at(`bot: ${tab}`, ofBot(tab)),
    ...(tab === 'appearance' || tab === 'install' ? [] : [at(`new bot: ${tab}`, ofNewBot(tab))]),
  ]),
  at('bot: answers of a language model', ofNewBot('answers'), async ({ page }) => {
    await page.getByRole('radio', { name: /^A language model/ }).check();
  }),
  at('team', '?page=team', isThere('Cleo Marsh'), true),
  at('team: invite', '?page=team', press('Invite a member')),
  at('team: remove', '?page=team', choose('Remove', 'Cleo Marsh')),
  at('team: change', '?page=team', choose('Change', 'Cleo Marsh')),
  at('team: no result', '?page=team', async ({ page }) => {
    await page.getByRole('searchbox').fill('xyzzy');
    await expect(page.getByText('No member matches the search.')).toBeVisible();
  }),
  ...['workspace', 'tokens', 'webhooks', 'audit', 'usage', 'mail', 'backup'].map((tab) =>
    at(`settings: ${tab}`, `?page=settings&tab=${tab}`),
  ),
  at('settings: create a token', '?page=settings&tab=tokens', press('Create a token')),
  ...(
    [
      ['the bots', '?page=bots', '**/v1/admin/bots*'],
      ['a bot', ofBot('answers'), '**/v1/admin/bots/*'],
      ['its answers', ofBot('answers'), '**/v1/admin/bots/*/deployment'],
      ['its knowledge', ofBot('knowledge'), '**/v1/files*'],
      ['its appearance', ofBot('appearance'), '**/v1/admin/bots/*/webchat'],
      ['its privacy', ofBot('privacy'), '**/v1/admin/bots/*/webchat'],
      ['its code', ofBot('install'), '**/v1/admin/bots/*/snippet*'],
      ['the members', '?page=team', '**/v1/admin/workspace-members*'],
      ['the workspace', '?page=settings&tab=workspace', '**/v1/admin/workspaces/*'],
      ['the tokens', '?page=settings&tab=tokens', '**/v1/admin/tokens*'],
      ['the webhooks', '?page=settings&tab=webhooks', '**/v1/admin/bots*'],
      ['the audit trail', '?page=settings&tab=audit', '**/v1/admin/audit*'],
      ['the usage', '?page=settings&tab=usage', '**/v1/admin/usage*'],
      ['the state of mails', '?page=settings&tab=mail', '**/v1/admin/server*'],
      ['the state of backups', '?page=settings&tab=backup', '**/v1/admin/server*'],
      ['the first steps', '?page=start&step=look', '**/v1/admin/bots*'],
    ] as const
  ).map(([what, query, request]) => refused(`${what} cannot be loaded`, query, request)),
  at('account', '?page=account'),
  at('account: saved', '?page=account', async ({ page }) => {
    await page.getByLabel('Your name').fill('Ada Winter');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await expect(page.getByText('Saved.')).toBeVisible();
  }),
  at('account: change the password', '?page=account', async ({ page }) => {
    await page.getByRole('button', { name: 'Change your password' }).click();
    await expect(page.getByLabel('New password')).toBeVisible();
  }),
  at('offline', '?page=team', async ({ page }) => {
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Bots', exact: true }).click();
  }),
];
const offline = consoleStates.at(-1);
if (offline) offline.leave = ({ page }) => page.context().setOffline(false);

const signInStates: State<ShopStage>[] = [
  {
    name: 'sign-in',
    isForced: true,
    async enter({ page, platform }) {
      await page.goto(`${platform.url}/console/`);
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    },
  },
  {
    name: 'a wrong password',
    async enter({ page, platform }) {
      await page.goto(`${platform.url}/console/`);
      await page.getByLabel('E-mail address').fill('ada@example.com');
      await page.getByLabel('Password').fill('not my password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByRole('alert')).not.toBeEmpty();
    },
  },
  {
    name: 'nothing entered',
    async enter({ page, platform }) {
      await page.goto(`${platform.url}/console/`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByLabel('Password')).toHaveAttribute('aria-invalid', 'true');
    },
  },
  {
    name: 'the first start',
    async enter({ page, platform }) {
      await page.goto('about:blank');
      await page.goto((await readFile(join(platform.folder, 'setup-link'), 'utf8')).trim());
      await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
    },
  },
  {
    name: 'a link that has ended',
    async enter({ page, platform }) {
      await page.goto('about:blank');
      await page.goto(`${platform.url}/console/#sign-in=unknown`);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page.getByRole('alert')).not.toBeEmpty();
    },
  },
];

/** The console of a member who may only read. */
const viewerStates: ConsoleState[] = [
  at('a viewer: all conversations', '?list=all', isThere('Grace Okafor')),
  at('a viewer: a conversation', ofVisitor('Omar Haddad'), isThere(/You can read this conversation/)),
  at('a viewer: bots', '?page=bots', isThere('Repairs')),
  at('a viewer: a bot', ofBot('answers')),
  at('a viewer: team', '?page=team', isThere('Cleo Marsh')),
  at('a viewer: teams', '?settings=teams', isThere('Orders')),
  at('a viewer: canned answers', '?settings=answers', isThere('Greeting')),
  at('a viewer: settings', '?page=settings'),
  at('a viewer: account', '?page=account'),
  at(
    'a viewer: a section of other roles',
    '?page=start',
    isThere('Your role does not include this section.'),
  ),
];

export const consoleScenes: Scene<ShopStage>[] = [
  { surface: 'Inbox', begin: signedInAs('owner'), isSeparate: true, states: inboxStates },
  { surface: 'Console', begin: signedInAs('owner'), isSeparate: true, states: consoleStates },
  { surface: 'Console', begin: signedInAs('viewer'), isSeparate: true, states: viewerStates },
  { surface: 'Sign-in', begin: async () => {}, isSeparate: true, states: signInStates },
];
