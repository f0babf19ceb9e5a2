// Tests of what others do while a member looks at a conversation: colleagues come and go, and the visitor, colleagues and teams change.
import { InboxClient } from '../../src/client/index.ts';
import { expect, phone, test } from './inbox-page.ts';

const sizes = { phone, desktop: { viewport: { width: 1280, height: 720 } } };

test('actions stay where they are when a colleague comes', async ({ member, openInbox, visitor }) => {
  const [ada, ben] = [await member('Ada'), await member('Benedikta of the second level')];
  const { conversationId } = await visitor('Lena');
  const path = `?list=all&conversation=${conversationId}`;
  const pages = [];
  for (const [size, options] of Object.entries(sizes)) {
    const inbox = await openInbox(ada, path, options);
    const take = inbox.page.getByRole('button', { name: 'Take', exact: true });
    const more = inbox.page.getByRole('button', { name: 'All actions' });
    await expect(take).toBeVisible();
    const places = async () => [await take.boundingBox(), await more.boundingBox()];
    pages.push({ size, inbox, places, before: await places() });
  }

  await openInbox(ben, path);
  for (const { size, inbox, places, before } of pages) {
    const colleagues = inbox.conversation.getByRole('list', { name: 'Colleagues here' });
    await expect(colleagues).toContainText('Benedikta of the second level looks');
    expect(await places(), size).toEqual(before);

    const [[bar], shown] = [await places(), await colleagues.boundingBox()];
    // Beside or below each other, and within the page.
    expect(
      (shown?.x ?? 0) + (shown?.width ?? 0) <= (bar?.x ?? 0) || (shown?.y ?? 0) >= (bar?.y ?? 0),
      size,
    ).toBe(true);
    expect(await inbox.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), size).toBe(
      true,
    );
  }
});

test('what the visitor, colleagues and managers change is shown at once, and of one time', {
  tag: '@story',
}, async ({ member, openInbox, platform, visitor }) => {
  const [ada, mia] = [await member('Ada'), await member('Mia', 'manager')];
  const manager = new InboxClient({
    apiUrl: platform.url,
    token: mia.token,
    workspaceId: platform.admin.workspaceId,
  });
  const { client, conversationId, say } = await visitor('Petra');
  const be = (name: string, city: string) => client.updateUser({ name, profile: JSON.stringify({ city }) });
  await be('Petra', 'Ghent');
  const text = 'Hello {{visitor.name}} of {{city}}.';
  const { cannedAnswer } = await manager.createCannedAnswer({ scope: 'workspace', name: 'greeting', text });
  const { team } = await manager.createTeam({ name: `VIP ${conversationId}`, mode: 'manual' });
  await manager.assignConversation({ id: conversationId, teamId: team.id });
  const path = `?list=all&conversation=${conversationId}`;
  const [inbox, otherTab] = [await openInbox(ada, path), await openInbox(ada, '?list=mine')];
  const { composer, conversation, dialog, page } = inbox;
  const pane = page.getByRole('complementary', { name: 'Visitor' });
  const row = page.locator(`.row[data-id="${conversationId}"]`);
  await expect(pane).toContainText('Ghent');
  await expect(row).toContainText(team.name);
  // All states of the pane, also those between two frames.
  const states = await pane.evaluateHandle((element) => {
    const seen = new Set<string>();
    const note = () => {
      const [name, city] = [...element.querySelectorAll('dd')].map(({ textContent }) => textContent);
      seen.add(`${name} of ${city}`);
    };
    note();
    new MutationObserver(note).observe(element, { subtree: true, childList: true, characterData: true });
    return seen;
  });

  await be('Paula', 'Antwerp');
  await expect(pane).toContainText('Antwerp');
  await expect(row).toContainText('Paula');
  await expect(conversation.getByRole('heading', { name: 'Paula' })).toBeVisible();
  expect(await states.evaluate((seen) => [...seen])).toEqual(['Petra of Ghent', 'Paula of Antwerp']);
  await client.setTyping({ id: conversationId, typing: true });
  await expect(conversation.getByText('Paula is typing')).toBeVisible();
  await say('Hello?');
  await expect(conversation.getByText('Paula is typing')).toHaveCount(0);
  await page.keyboard.press('r');
  await page.keyboard.press('/');
  await expect(dialog.getByText('Hello Paula of Antwerp.')).toBeVisible();
  await manager.updateCannedAnswer({ id: cannedAnswer.id, text: `${text} Bye.` });
  await expect(dialog.getByText('Hello Paula of Antwerp. Bye.')).toBeVisible();
  await be('Pia', 'Bruges');
  await expect(dialog.getByText('Hello Pia of Bruges. Bye.')).toBeVisible();
  await page.keyboard.press('Escape');
  await manager.updateTeam({ id: team.id, name: `Very ${team.name}` });
  await expect(row).toContainText(`Very ${team.name}`);

  // The number of mentions, in a tab that looks at the conversation and in one that does not.
  const mentions = [inbox, otherTab].map((tab) => tab.page.getByRole('link', { name: /^Mentions/ }));
  await page.locator('.lists').getByRole('link', { name: /^Mine/ }).click();
  await manager.createNote({ id: conversationId, body: '@Ada', mentions: [ada.id] });
  for (const link of mentions) await expect(link).toHaveText('Mentions: 1');
  await row
    .or(page.getByRole('link', { name: /^All(?! visitors)/ }))
    .first()
    .click();
  await row.click();
  for (const link of mentions) await expect(link).toHaveText('Mentions: 0');
  await page.reload();
  for (const link of mentions) await expect(link).toHaveText('Mentions: 0');
  await expect(composer).toBeVisible();
});

test('a reply is held that a colleague has answered meanwhile', async ({ member, openInbox, visitor }) => {
  const { conversationId, texts } = await visitor('Dora');
  const [ada, ben] = [await member('Ada'), await member('Ben')];
  const path = `?list=all&conversation=${conversationId}`;
  const inbox = await openInbox(ada, path);
  await inbox.page.getByRole('button', { name: 'Take', exact: true }).click();
  await expect(inbox.page.getByRole('button', { name: 'Close', exact: true })).toBeVisible();
  // The page is opened again without a stream: what a colleague writes now is not seen.
  for (const part of ['stream', 'changes*'])
    await inbox.page.route(`**/v1/inbox/${part}`, (route) => route.abort());
  await inbox.open(ada, path);
  await expect(inbox.entries.filter({ hasText: 'Ada joined' })).toBeVisible();
  await inbox.composer.fill('I will refund it.');
  const other = await openInbox(ben, path);
  await expect(other.page.getByRole('radio', { name: 'Note' })).toBeVisible();
  await other.beginNote();
  await other.send('Refunded already.');
  await expect(other.entries.filter({ hasText: 'Refunded already.' })).toBeVisible();
  await expect(inbox.page.getByText('Refunded already.')).toHaveCount(0);
  await inbox.page.getByRole('button', { name: 'Send' }).click();
  const alert = inbox.conversation.getByRole('alert');
  await expect(alert).toContainText('Your reply was not sent.');
  await expect(alert).toContainText('Refunded already.');
  await expect(inbox.composer).toHaveValue('I will refund it.');
  expect(await texts()).not.toContain('I will refund it.');
  await inbox.page.getByRole('button', { name: 'Send anyway' }).click();
  await expect(inbox.composer).toHaveValue('');
  await expect.poll(texts).toContain('I will refund it.');
});
