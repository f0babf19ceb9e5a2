// The story of a team: an owner opens a new server, two members join in browsers of their own (a desktop in German, a phone), and one
// visitor goes from the bot to people and back. The acts follow each other on one server; a failed act ends the story.
import type { Browser, Page } from '@playwright/test';
import { InboxClient } from '../../src/client/index.ts';
import { violationsInBothSchemes } from '../support/axe.ts';
import { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { type HostSite, pageHtml, startHostSite, strictCsp } from '../support/host-page.ts';
import { type PlatformServer, startPlatform } from '../support/server.ts';
import { expectGood, phone, watchErrors } from './signed-in.ts';
import { acceptInvitation, invite, useSetupLink } from './team-pages.ts';

test.describe.configure({ mode: 'serial' });

const { step } = test;

let platform: PlatformServer;
let site: HostSite;
let owner: Page;
/** Ben, on a desktop and in German. */
let ben: Page;
/** Mia, on a phone, without a name at first. */
let mia: Page;
let chat: ChatPage;
let invitations: { ben: string; mia: string };
let conversationId = '';
/** Errors of all pages of the console. */
const errors: string[][] = [];
const contexts: Awaited<ReturnType<Browser['newContext']>>[] = [];

const miaAddress = 'mia@example.com';

test.beforeAll(async ({ browser }) => {
  platform = await startPlatform();
  site = await startHostSite();
  const open = async (options: object = {}) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    contexts.push(context);
    return context.newPage();
  };
  [owner, ben, mia] = [
    await open(),
    await open({ viewport: { width: 1280, height: 800 } }),
    await open(phone),
  ];
  for (const page of [owner, ben, mia]) errors.push(await watchErrors(page));
  const script = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" data-share-page="path" async></script>`;
  const csp = `${strictCsp(platform.url, { media: true })}`;
  const url = site.page('/shop', pageHtml(script), { 'content-security-policy': csp });
  chat = new ChatPage(await open(), url, platform);
});

test.afterAll(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  await site.close();
  await platform.dispose();
});

/** The parts of the inbox, by class: the members use it in different languages. */
const rowIn = (page: Page, id = conversationId) => page.locator(`.list .row[data-id="${id}"]`);
const paneOf = (page: Page) => page.locator('section.conversation');
const entriesIn = (page: Page) => paneOf(page).locator('.transcript li:not(.day)');
const composerIn = (page: Page) => paneOf(page).locator('.composer textarea');
const openList = (page: Page, list: string) => page.goto(`${platform.url}/console/?list=${list}`);
/** On a phone: back to the lists, and to one of them. */
async function tapList(page: Page, name: string): Promise<void> {
  for (const back of ['Conversations', 'All lists']) {
    const link = page.getByRole('link', { name: back, exact: true });
    if (await link.isVisible()) await link.tap();
  }
  await page
    .getByRole('navigation', { name: 'Lists' })
    .getByRole('link', { name: new RegExp(`^${name}( ?:|$)`) })
    .tap();
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
}
const entry = (page: Page, hasText: string | RegExp) => entriesIn(page).filter({ hasText });

async function send(page: Page, text: string): Promise<void> {
  await composerIn(page).fill(text);
  await composerIn(page).press('Control+Enter');
  await expect(composerIn(page)).toHaveValue('');
}

/** The server as an administrator sees it, to compare with what the pages show. */
const inbox = () => new InboxClient({ apiUrl: platform.url, ...platform.admin });
const stateOf = async () => (await inbox().getInboxConversation({ id: conversationId })).conversation.state;

test('act 1: the owner opens the server and invites two members, who join', { tag: '@story' }, async () => {
  const { url } = platform;

  await step('the owner signs in with the link of the start', () => useSetupLink(owner, platform, 'Olga'));

  await step('visitors may ask for a person, and each side sees what was read', async () => {
    await owner.getByRole('link', { name: 'Bots' }).click();
    await owner.getByRole('link', { name: 'demo' }).click();
    await owner
      .getByRole('navigation', { name: 'Parts of the bot' })
      .getByRole('link', { name: 'People' })
      .click();
    await owner.getByLabel('Visitors may ask for a person').check();
    await owner.getByLabel('Show what was read').check();
    await owner.getByRole('button', { name: 'Save' }).click();
    await expect(owner.getByText('Saved.')).toBeVisible();
  });

  await step('the bot gets knowledge and passages of it', async () => {
    await owner
      .getByRole('navigation', { name: 'Parts of the bot' })
      .getByRole('link', { name: 'Knowledge' })
      .click();
    const chooser = owner.waitForEvent('filechooser');
    await owner.getByRole('button', { name: 'Choose files' }).click();
    const buffer = Buffer.from('# Returns\n\nParcels can be returned within 30 days.');
    await (await chooser).setFiles([{ name: 'returns.md', mimeType: 'text/markdown', buffer }]);
    await expect(owner.getByText('Ready')).toBeVisible();
    await owner.getByLabel('Passages that the bot gets with each message').fill('5');
    await owner.getByRole('button', { name: 'Save' }).click();
    await expect(owner.getByText('Saved.')).toBeVisible();
  });

  await step('a second bot is made, for another page', async () => {
    await owner.getByRole('link', { name: 'All bots' }).click();
    await owner.getByRole('button', { name: 'New bot' }).click();
    await owner.getByLabel('Name', { exact: true }).fill('Careers');
    await owner.getByRole('button', { name: 'Create the bot' }).click();
    await expect(owner.getByRole('heading', { name: 'Careers' })).toBeFocused();
  });

  await step('the owner invites a member with a name, and one without', async () => {
    await owner.getByRole('link', { name: 'Team' }).click();
    invitations = {
      ben: await invite(owner, { email: 'ben@example.com', name: 'Ben Müller', role: 'Support' }),
      mia: await invite(owner, { email: miaAddress, role: 'Support' }),
    };
  });

  await step('the first member accepts on a desktop', async () => {
    await acceptInvitation(ben, invitations.ben);
    await expect(ben.locator('.inbox')).toBeVisible();
    await expect(ben.getByRole('dialog')).toHaveCount(0);
  });

  await step('he chooses German for the console', async () => {
    await ben.getByRole('link', { name: 'Account' }).click();
    await ben.getByLabel('Language of the console, in this browser').selectOption('de');
    await expect(ben.getByRole('heading', { name: 'Konto', level: 1 })).toBeVisible();
    await expect(ben.getByLabel('Ihr Name')).toHaveValue('Ben Müller');
  });

  await step('an invitation works once', async () => {
    const context = await (owner.context().browser() as Browser).newContext();
    const page = await context.newPage();
    await page.goto(invitations.ben);
    await page.getByLabel('New password').fill('another four words of somebody');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await expect(page.getByRole('alert')).toContainText('link');
    await context.close();
  });

  await step('the second member accepts on a phone, and puts the question for her name off', async () => {
    await acceptInvitation(mia, invitations.mia);
    const dialog = mia.getByRole('dialog', { name: 'Your name' });
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Later' }).click();
    await expect(dialog).toHaveCount(0);
  });

  await step('the owner sees both in the team', async () => {
    await owner.reload();
    await expect(owner.getByRole('row').filter({ hasText: 'Ben Müller' })).toContainText('Available');
    await expect(owner.getByRole('row').filter({ hasText: miaAddress })).toContainText('Available');
    await expectGood(owner, 'team');
  });

  await step('the owner makes a team of the two', async () => {
    await owner.getByRole('link', { name: 'Teams' }).click();
    await owner.getByRole('textbox', { name: 'Name' }).fill('Shipping');
    await owner.getByLabel('Conversations go to').selectOption('Members take conversations themselves');
    await owner.getByLabel('Ben Müller').check();
    await owner.getByLabel(miaAddress).check();
    await owner.getByRole('button', { name: 'Add team' }).click();
    await expect(owner.getByRole('listitem').filter({ hasText: 'Shipping' })).toContainText('Members: 2');
  });

  await step('the owner sets opening hours that never open', async () => {
    await owner
      .getByRole('navigation', { name: 'Team' })
      .getByRole('link', { name: 'Opening hours' })
      .click();
    await owner.getByLabel('Somebody answers at any time').uncheck();
    const remove = owner.getByRole('button', { name: /^Remove \w+day, 09:00/ });
    await expect(remove).not.toHaveCount(0);
    for (let left = await remove.count(); left > 0; left -= 1) await remove.first().click();
    await expect(owner.getByText('Closed: there are no hours within a year.')).toBeVisible();
    await owner.getByRole('button', { name: 'Save hours' }).click();
    await expect(owner.getByText('The opening hours were saved.')).toBeVisible();
  });

  await step('the owner writes a canned answer for all', async () => {
    await owner
      .getByRole('navigation', { name: 'Team' })
      .getByRole('link', { name: 'Canned answers' })
      .click();
    await owner.getByRole('textbox', { name: 'Name' }).fill('Parcel found');
    await owner
      .getByRole('textbox', { name: 'Text' })
      .fill('Good news, {{visitor.name}}: your parcel is found. {{member.name}}');
    await owner.getByLabel('For all members of the workspace').check();
    await owner.getByRole('button', { name: 'Add answer' }).click();
    await expect(owner.getByRole('listitem').filter({ hasText: 'Parcel found' })).toContainText(
      'of the team',
    );
    await expectGood(owner, 'canned answers');
  });
  expect(await (await fetch(`${url}/v1/session/options`)).json()).toMatchObject({ link: false });
});

test('act 2: members read along while the bot answers', { tag: '@story' }, async () => {
  await step('the visitor talks to the bot', async () => {
    await chat.startConversation();
    await chat.call('updateUser', { name: 'Petra' });
    await chat.exchange('How can parcels be returned?');
    conversationId = (await chat.storedSession()).conversationId ?? '';
  });

  await step('while nobody is ever there, and without mails, asking for a person is answered', async () => {
    await chat.choose('Talk to a person');
    await expect(chat.window.locator('[part="handling"]')).toHaveText(
      'Nobody can answer at the moment. The assistant goes on answering.',
    );
    await chat.exchange('Then you, please.');
    expect(await stateOf()).toBe('bot');
  });

  await step('the owner opens at any time', async () => {
    await owner
      .getByRole('navigation', { name: 'Team' })
      .getByRole('link', { name: 'Opening hours' })
      .click();
    await owner.getByLabel('Somebody answers at any time').check();
    await owner.getByRole('button', { name: 'Save hours' }).click();
    await expect(owner.getByText('The opening hours were saved.')).toBeVisible();
  });

  await step('the conversation is in the list of the bot, and unread of nobody', async () => {
    await openList(ben, 'bot');
    await expect(ben.getByRole('heading', { name: 'Beim Bot' })).toBeVisible();
    await expect(rowIn(ben)).toContainText('Bot:');
    await expect(rowIn(ben)).toContainText('demo');
    await expect(rowIn(ben)).toHaveAttribute('data-waiting', 'false');
    for (const name of ['Meine', 'Nicht zugewiesen', 'Wartet', 'Erwähnungen'])
      await expect(ben.getByRole('link', { name: new RegExp(`^${name}`) })).toHaveText(`${name}: 0`);
    await tapList(mia, 'With the bot');
    await expect(rowIn(mia)).toBeVisible();
    await expectGood(mia, 'list of the bot, phone');
  });

  await step('the list is narrowed to a bot', async () => {
    await ben.getByRole('button', { name: 'Filter und Reihenfolge' }).click();
    const bots = ben.getByRole('combobox', { name: 'Bot', exact: true });
    await bots.selectOption('Careers');
    await expect(rowIn(ben)).toHaveCount(0);
    await expect(ben.getByText('In dieser Liste wurde kein Gespräch gefunden.')).toBeVisible();
    await bots.selectOption('demo');
    await expect(rowIn(ben)).toBeVisible();
  });

  await step('a question without an answer in the knowledge is found by the filter', async () => {
    await ben.getByRole('combobox', { name: 'Antwort' }).selectOption('Keine Antwort gefunden');
    await expect(ben).toHaveURL(/answer=none/);
    // The last question but one was found in the knowledge.
    await chat.exchange('Zeppelin?');
    await expect(rowIn(ben)).toContainText('Zeppelin');
    await expectGood(ben, 'filter of the list of the bot');
    await chat.exchange('How can parcels be returned again?');
    await expect(rowIn(ben)).toHaveCount(0);
    await ben.getByRole('button', { name: 'Alle anzeigen' }).click();
    await expect(rowIn(ben)).toBeVisible();
  });

  await step('a member reads along, and sees the next message and answer', async () => {
    await rowIn(ben).click();
    await expect(entry(ben, 'How can parcels be returned?').first()).toBeVisible();
    await expect(composerIn(ben)).toHaveCount(0);
    await expect(paneOf(ben).getByText('Der Bot antwortet. Übernehmen Sie, um zu schreiben.')).toBeVisible();
    await chat.exchange('Does it cost anything?');
    await expect(entry(ben, 'Does it cost anything?')).toHaveCount(2);
    await expectGood(ben, 'reading along');
  });

  await step('the member sees the page of the visitor, and its change', async () => {
    const shown = ben.locator('.shared-page');
    await expect(shown).toContainText('Jetzt online');
    await expect(shown).toContainText('A page');
    await expect(shown.getByRole('link')).toHaveAttribute('href', `${site.url}/shop`);
    await chat.page.evaluate(() => {
      history.pushState(null, '', '/cart?token=secret');
      document.title = 'Your cart';
    });
    await expect(shown.getByRole('link')).toHaveAttribute('href', `${site.url}/cart`);
    await expect(shown).toContainText('Your cart');
  });

  await step('the member sees that the visitor types', async () => {
    await chat.input.pressSequentially('Hm');
    await expect(paneOf(ben).getByText('Petra schreibt…')).toBeVisible();
    await expect(rowIn(ben)).toContainText('Schreibt…');
    await chat.input.fill('');
  });

  await step('a change of the name of the visitor is shown at once', async () => {
    await chat.call('updateUser', { name: 'Petra Groß' });
    await expect(paneOf(ben).getByRole('heading', { name: 'Petra Groß' })).toBeVisible();
    await expect(rowIn(ben)).toContainText('Petra Groß');
    await expect(ben.locator('aside.visitor')).toContainText('Petra Groß');
  });
});

test('act 3: a member takes over and answers', { tag: '@story' }, async () => {
  await step('he takes over without being asked, and the visitor sees it', async () => {
    await ben.getByRole('button', { name: 'Übernehmen' }).click();
    await expect(paneOf(ben).locator('.title')).toContainText('Sie');
    await expect(chat.window.locator('[part="activity"]').last()).toHaveText('Ben Müller joined');
    await expect(chat.window.getByRole('heading', { level: 2 })).toHaveText('Ben Müller');
    await expect(composerIn(ben)).toBeFocused();
  });

  await step('the bot is silent, and its old buttons are gone', async () => {
    const before = await chat.serverTexts();
    await chat.send('Is anybody there?');
    await expect(entry(ben, 'Is anybody there?')).toBeVisible();
    await expect(chat.window.locator('[part="option"]')).toHaveCount(0);
    expect(await chat.serverTexts()).toEqual([...before, 'Is anybody there?']);
  });

  await step('the visitor sees that the message was read', async () => {
    await expect(chat.window.locator('[part="seen"]')).toHaveText('Seen');
  });

  await step('each sees that the other one types', async () => {
    await chat.input.pressSequentially('Hel');
    await expect(paneOf(ben).getByText('Petra Groß schreibt…')).toBeVisible();
    await composerIn(ben).pressSequentially('Just a mo');
    await expect(chat.window.getByRole('img', { name: 'Ben Müller is typing' })).toBeVisible();
    await chat.input.fill('');
  });

  await step('a formatted reply is formatted for the visitor', async () => {
    await composerIn(ben).fill('');
    await send(ben, '**Important**: see [the guide](https://site.test/guide)\n\n- keep the _box_');
    const row = chat.rows.filter({ hasText: 'Important' });
    await expect(row.locator('strong')).toHaveText('Important');
    await expect(row.locator('a')).toHaveAttribute('href', 'https://site.test/guide');
    await expect(row.locator('li em')).toHaveText('box');
    await expect(entry(ben, 'Important').locator('strong')).toHaveText('Important');
    await expect(entry(ben, 'Important').locator('time')).toContainText('gesehen');
  });

  await step('a file goes with a reply', async () => {
    const choosing = ben.waitForEvent('filechooser');
    await paneOf(ben).getByRole('button', { name: 'Dateien anhängen' }).click();
    const buffer = Buffer.from('Turn left.');
    await (await choosing).setFiles({ name: 'way.txt', mimeType: 'text/plain', buffer });
    await expect(paneOf(ben).locator('.attachments [data-status="uploaded"]')).toHaveCount(1);
    await send(ben, 'Here is the way.');
    await expect(entry(ben, 'Here is the way.').getByRole('link', { name: /way\.txt/ })).toBeVisible();
    const link = chat.window.getByRole('link', { name: /way\.txt/ });
    expect(await (await fetch((await link.getAttribute('href')) ?? '')).text()).toBe('Turn left.');
    await expectGood(ben, 'conversation with a file');
  });

  await step('a note mentions the colleague without a name, by the address that colleagues see', async () => {
    await ben.keyboard.press('Escape');
    await ben.keyboard.press('n');
    await expect(composerIn(ben)).toBeFocused();
    await ben.keyboard.type('@mia');
    await expect(paneOf(ben).getByRole('option')).toHaveText([miaAddress]);
    await expectGood(ben, 'mention');
    await ben.keyboard.press('Enter');
    await ben.keyboard.type('canary-4711: ask the depot in Köln');
    await ben.keyboard.press('Control+Enter');
    await expect(paneOf(ben).getByRole('article').filter({ hasText: 'canary-4711' })).toBeVisible();
  });

  await step('she is told on her phone, and finds it', async () => {
    const mentions = mia.getByRole('link', { name: /^Mentions/ });
    await mia.getByRole('link', { name: 'All lists' }).tap();
    await expect(mentions).toHaveText('Mentions: 1');
    await tapList(mia, 'Mentions');
    await expect(rowIn(mia)).toContainText('Mentions you');
    await rowIn(mia).tap();
    await expect(paneOf(mia).getByRole('article').filter({ hasText: 'canary-4711' })).toBeVisible();
    await expectGood(mia, 'mentioned conversation, phone');
    await mia.getByRole('link', { name: 'Conversations', exact: true }).tap();
    await expect(rowIn(mia)).not.toContainText('Mentions you');
    await mia.getByRole('link', { name: 'All lists' }).tap();
    await expect(mentions).toHaveText('Mentions: 0');
  });

  await step('the visitor sees nothing of the note', async () => {
    expect(JSON.stringify(await chat.serverMessages())).not.toContain('canary');
    await expect(chat.window).not.toContainText('canary');
  });

  await step('without a connection a reply is kept, and sent once afterwards', async () => {
    await ben.keyboard.press('Escape');
    await ben.keyboard.press('r');
    await expect(composerIn(ben)).toBeFocused();
    await ben.context().setOffline(true);
    await composerIn(ben).fill('I called the depot.');
    await composerIn(ben).press('Control+Enter');
    await expect(paneOf(ben).getByRole('alert').filter({ hasText: 'nicht erreichbar' })).toBeVisible();
    await expect(composerIn(ben)).toHaveValue('I called the depot.');
    await chat.send('Any news?');
    await ben.context().setOffline(false);
    await expect(entry(ben, 'Any news?')).toBeVisible();
    await expect(ben.locator('.connection')).toBeHidden();
    await composerIn(ben).press('Control+Enter');
    await expect(chat.rows.filter({ hasText: 'I called the depot.' })).toHaveCount(1);
    expect((await chat.serverTexts()).filter((text) => text === 'I called the depot.')).toHaveLength(1);
  });
});

test('act 4: a colleague goes on, on a phone', { tag: '@story' }, async () => {
  await step('he puts it into the queue of the team, and the visitor waits', async () => {
    await ben.keyboard.press('Escape');
    await ben.keyboard.press('a');
    await ben.getByRole('dialog').getByRole('button', { name: 'Shipping' }).click();
    await expect(paneOf(ben).locator('.title')).toContainText('Wartet');
    await expect(chat.window.locator('[part="handling"]')).toContainText('Waiting for a person');
    expect(await stateOf()).toBe('waiting');
  });

  await step('while she waits, old buttons of the bot send nothing', async () => {
    const before = await chat.serverTexts();
    for (const button of await chat.window.locator('[part="option"]').all())
      await expect(button).toBeDisabled();
    expect(await chat.serverTexts()).toEqual(before);
    expect(await violationsInBothSchemes(chat.page)).toEqual([]);
  });

  await step('the colleague takes it with her thumb', async () => {
    await tapList(mia, 'Unassigned');
    await expect(rowIn(mia)).toContainText('Shipping');
    await rowIn(mia).tap();
    await mia.getByRole('button', { name: 'Take', exact: true }).tap();
    await expect(paneOf(mia).locator('.title')).toContainText('You');
    await expect(rowIn(ben)).toContainText(miaAddress);
    await expect(entry(ben, `${miaAddress} ist beigetreten`)).toBeVisible();
  });

  await step('the visitor sees a name for the public, and not the address', async () => {
    await expect(chat.window.locator('[part="activity"]').last()).toHaveText('Support joined');
    await expect(chat.window).not.toContainText(miaAddress);
  });

  await step('she answers from the phone', async () => {
    await composerIn(mia).fill('I have it here.');
    await mia.getByRole('button', { name: 'Send' }).tap();
    const row = chat.rows.filter({ hasText: 'I have it here.' });
    await expect(row).toBeVisible();
    await expect(row.locator('[part="speaker"]')).toHaveText('Support');
    await expect(entry(ben, 'I have it here.')).toContainText(miaAddress);
    await expectGood(mia, 'conversation, phone');
  });

  await step('she gives herself a name, and everybody sees it', async () => {
    await mia.getByRole('link', { name: 'Conversations', exact: true }).tap();
    await mia.getByRole('button', { name: 'More', exact: true }).tap();
    await mia.getByRole('link', { name: 'Account' }).tap();
    await mia.getByLabel('Your name').fill('Mia');
    await mia.getByRole('button', { name: 'Save' }).first().tap();
    await expect(mia.getByText('Saved.')).toBeVisible();
    await mia.getByRole('link', { name: 'Inbox' }).tap();
    await tapList(mia, 'Mine');
    await rowIn(mia).tap();
  });

  await step('she sends a canned answer with the names filled in', async () => {
    await mia.getByRole('button', { name: 'Canned answers' }).tap();
    await mia
      .getByRole('dialog')
      .getByRole('button', { name: /^Parcel found/ })
      .tap();
    await expect(composerIn(mia)).toHaveValue('Good news, Petra Groß: your parcel is found. Mia');
    await mia.getByRole('button', { name: 'Send' }).tap();
    const row = chat.rows.filter({ hasText: 'Good news, Petra Groß' });
    await expect(row).toBeVisible();
    await expect(row.locator('[part="speaker"]')).toHaveText('Mia');
    await expect(rowIn(ben)).toContainText('Mia');
    await expect(rowIn(ben)).not.toContainText(miaAddress);
  });
});

test('act 5: old texts are found, and earlier conversations stand beside', { tag: '@story' }, async () => {
  await step('an old message is found without its umlaut, and opened there', async () => {
    await chat.send('My address is Königstraße 7.');
    await expect(entry(ben, 'Königstraße')).toBeVisible();
    const { client } = await chat.visitor();
    for (let n = 1; n <= 70; n += 1)
      await client.createMessage({ conversationId, payload: { type: 'text', text: `Line ${n}` } });
    await expect(entry(ben, 'Line 70')).toBeVisible();
    await openList(ben, 'mine');
    await ben.getByRole('searchbox').fill('KONIGSTRASSE');
    const found = ben.getByRole('region', { name: 'In Nachrichten und Notizen' });
    await expect(found.getByRole('link')).toHaveCount(1);
    await expect(found.locator('mark')).toHaveText('Königstraße');
    await expectGood(ben, 'found texts');
    await found.getByRole('link').click();
    await expect(paneOf(ben).locator('[data-found]')).toContainText('Königstraße');
    await expect(paneOf(ben).locator('[data-found]')).toBeInViewport();
  });

  await step('an old note is found in the same way', async () => {
    await ben.getByRole('searchbox').fill('depot in koln');
    const found = ben.getByRole('region', { name: 'In Nachrichten und Notizen' });
    await expect(found.getByRole('link')).toHaveCount(1);
    await expect(found.getByRole('link')).toContainText('Notiz:');
    await found.getByRole('link').click();
    await expect(paneOf(ben).locator('.note[data-found]')).toContainText('canary-4711');
    await expect(paneOf(ben).locator('.note[data-found]')).toBeInViewport();
    await expect(ben).toHaveURL(/entry=note_/);
  });

  await step('the earlier conversation is beside a new one of the same visitor', async () => {
    await chat.choose('Conversations');
    const list = chat.window.getByRole('dialog', { name: 'Conversations' });
    await list.getByRole('button', { name: 'Start a new conversation' }).click();
    await expect(list).toHaveCount(0);
    await chat.exchange('Something else');
    const { conversationId: second = '' } = await chat.storedSession();
    expect(second).not.toBe(conversationId);
    await openList(ben, `bot&conversation=${second}`);
    await expect(ben.locator('.shared-page')).toContainText('Jetzt online');
    const others = ben.locator('aside.visitor .others');
    await expect(others.getByRole('link')).toHaveCount(1);
    await others.getByRole('link').click();
    await expect(entry(ben, 'Line 70')).toBeVisible();
    await expect(ben).toHaveURL(new RegExp(`conversation=${conversationId}`));
  });
});

test('act 6: the conversation ends, is rated, goes on, and is counted', { tag: '@story' }, async () => {
  await step('the visitor returns to the conversation, and a member closes it', async () => {
    await chat.choose('Conversations');
    const list = chat.window.getByRole('dialog', { name: 'Conversations' });
    await list.getByRole('listitem').last().getByRole('button').click();
    await expect(chat.rows.filter({ hasText: 'Line 70' })).toBeVisible();
    await mia.getByRole('button', { name: 'Close', exact: true }).tap();
    await expect.poll(stateOf).toBe('closed');
    await expect(chat.window.locator('[part="activity"]').last()).toHaveText('The conversation has ended');
  });

  await step('the visitor rates it, and the team sees it', async () => {
    const rating = chat.window.locator('[part="rating"]');
    await rating.getByRole('radio', { name: '5 of 5' }).check();
    await rating.getByRole('textbox').fill('Quick and friendly');
    await rating.getByRole('button', { name: 'Send' }).click();
    await expect(rating).toHaveText('Thank you');
    await expect(entry(ben, '5 von 5')).toContainText('Quick and friendly');
    expect(await violationsInBothSchemes(chat.page)).toEqual([]);
  });

  await step('a new message opens it again', async () => {
    await chat.send('One more thing.');
    await expect.poll(stateOf).toMatch(/assigned|waiting/);
    await tapList(mia, 'All');
    await expect(rowIn(mia)).toContainText('One more thing.');
  });

  await step('a visitor who goes is not online any more', async () => {
    const shown = ben.locator('.shared-page');
    await expect(shown).toContainText('Jetzt online');
    await ben.clock.install();
    await chat.page.goto('about:blank');
    // Again if the heartbeat of the member was before the end of the stream of the visitor.
    await expect(async () => {
      await ben.clock.fastForward(30_000);
      await ben.evaluate(() => dispatchEvent(new Event('focus')));
      await expect(shown).toContainText('Nicht online', { timeout: 1_000 });
    }).toPass();
    await expect(shown).toContainText('Your cart');
  });

  await step('the report counts it', async () => {
    await owner.getByRole('link', { name: 'Reports' }).click();
    await expect(owner.getByText(/conversations? began; \d+ of them/)).toContainText(
      '2 conversations began; 1 of them',
    );
    const work = owner.getByRole('region', { name: 'Work of members' });
    await expect(work.getByRole('row', { name: /Ben Müller/ })).toBeVisible();
    await expect(work.getByRole('row', { name: /Mia/ })).toBeVisible();
    await expectGood(owner, 'report');
  });

  await step('no page of the console has reported an error', async () => {
    expect(errors).toEqual([[], [], []]);
    chat.expectNoConsoleErrors();
  });
});
