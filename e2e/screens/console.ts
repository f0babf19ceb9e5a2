// The states of the console and of the sign-in. Each begins at an address.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '../support/fixtures.ts';
import type { Scene, ShopStage, State } from './state.ts';

/** The page of the owner, who has signed in. */
async function signedIn({ page, platform, shop }: ShopStage): Promise<void> {
  if ((await page.context().cookies()).length > 0) return;
  // The browser gets the cookie of the answer.
  const answer = await page.request.post(`${platform.url}/v1/session/password`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: shop.owner,
  });
  expect(answer.status()).toBe(200);
}

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

type Query = string | ((stage: ShopStage) => string);

export interface ConsoleState extends State<ShopStage> {
  /** The query of the address that it begins at. */
  query: Query;
}

/** A state at an address: `go` leads on from there. */
const at = (
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

const ofBot = (tab: string) => (stage: ShopStage) => `?page=bots&bot=${stage.shop.botId}&tab=${tab}`;
const ofNewBot = (tab: string) => (stage: ShopStage) => `?page=bots&bot=${stage.shop.newBotId}&tab=${tab}`;
const ofVisitor =
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
const isThere =
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
const grace = ofVisitor('Grace Okafor', 'mine');

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
    await expect(page.getByRole('heading', { name: 'Times', level: 3 })).toBeVisible();
  }),
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

export const consoleScenes: Scene<ShopStage>[] = [
  { surface: 'Inbox', begin: signedIn, isSeparate: true, states: inboxStates },
  { surface: 'Console', begin: signedIn, isSeparate: true, states: consoleStates },
  { surface: 'Sign-in', begin: async () => {}, isSeparate: true, states: signInStates },
];
