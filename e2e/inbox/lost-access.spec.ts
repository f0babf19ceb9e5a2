// Conversations that a member may not see any more, because of another role or team, do not stay on the page.
import { AdminClient, InboxClient } from '../../src/client/index.ts';
import { expect, test } from './inbox-page.ts';

// The server looks every 15 seconds whether a member still has access.
const withAccess = { timeout: 60_000 };

test('members with another role or team see what they may', async ({
  member,
  openInbox,
  visitor,
  platform,
}) => {
  // The server looks twice in it.
  test.slow();
  const client = new InboxClient({ apiUrl: platform.url, ...platform.admin });
  const admin = new AdminClient({ apiUrl: platform.url, ...platform.admin });
  const [mia, ben] = [await member('Mia', 'manager'), await member('Ben')];
  const [ida, bill] = [await member('Ida'), await member('Bill')];
  const suffix = crypto.randomUUID().slice(0, 8);
  const [hidden, shown] = [`Vera ${suffix}`, `Otto ${suffix}`];
  const fields = { name: `Board ${suffix}`, mode: 'manual', isRestricted: true } as const;
  const { team } = await client.createTeam({ ...fields, memberIds: [ben.id] });
  const [vera, otto] = [await visitor(hidden), await visitor(shown)];
  await client.assignConversation({ id: vera.conversationId, teamId: team.id });
  await client.createNote({ id: vera.conversationId, body: 'She is a shareholder' });
  await otto.say('Where is my order?');

  const [ofMia, ofBen] = [await openInbox(mia, '?list=all'), await openInbox(ben, '?list=all')];
  await ofMia.row(hidden).click();
  await expect(ofMia.entries.filter({ hasText: 'She is a shareholder' })).toBeVisible();
  await ofBen.row(hidden).click();
  await expect(ofBen.entries.filter({ hasText: 'She is a shareholder' })).toBeVisible();
  // The pointer stays in the list, whose rows keep their places then.
  await ofBen.row(shown).click();
  await expect(ofBen.entries.filter({ hasText: 'Where is my order?' })).toBeVisible();
  await ofBen.composer.fill('On its');
  const [ofIda, ofBill] = [await openInbox(ida, '?list=all'), await openInbox(bill, '?list=all')];
  await ofIda.row(shown).click();
  await ofIda.composer.fill('On its');
  await expect(ofBill.row(shown)).toBeVisible();

  await admin.updateWorkspaceMember({ id: mia.id, role: 'support' });
  await admin.updateWorkspaceMember({ id: ida.id, role: 'viewer' });
  await admin.updateWorkspaceMember({ id: bill.id, role: 'billing' });
  await client.updateTeam({ id: team.id, memberIds: [] });
  for (const { page, row } of [
    { page: ofMia.page, row: ofMia.row(hidden) },
    { page: ofBen.page, row: ofBen.row(hidden) },
  ]) {
    await expect(row).toHaveCount(0, withAccess);
    await expect(page.getByText('She is a shareholder')).toHaveCount(0);
  }
  await expect(ofMia.conversation.getByRole('alert')).toContainText('you may not see it');
  await expect(ofMia.page.locator('.visitor')).toHaveCount(0);
  // Everything else is still there, also what was being written.
  await expect(ofMia.row(shown)).toBeVisible();
  await expect(ofBen.row(shown)).toBeVisible();
  await expect(ofBen.entries.filter({ hasText: 'Where is my order?' })).toBeVisible();
  await expect(ofBen.composer).toHaveValue('On its');
  await expect(ofIda.conversation.getByText('This needs the permission inbox.write')).toBeVisible(withAccess);
  await expect(ofIda.composer).toHaveCount(0);
  // A role without the inbox: nothing of it stays on the page.
  await expect(ofBill.page.getByText('You may not read the inbox any more.')).toBeVisible(withAccess);
  await expect(ofBill.page.locator('.inbox')).toHaveCount(0);
  await expect(ofBill.page.getByText(shown)).toHaveCount(0);
  await expect(ofBill.page.getByText('billing')).toBeVisible();
  await expect(ofBill.page.getByRole('link', { name: 'Inbox' })).toHaveCount(0);

  // And back: the conversations appear again.
  await admin.updateWorkspaceMember({ id: mia.id, role: 'manager' });
  await admin.updateWorkspaceMember({ id: ida.id, role: 'support' });
  await client.updateTeam({ id: team.id, memberIds: [ben.id] });
  await expect(ofBen.row(hidden)).toBeVisible(withAccess);
  await expect(ofMia.row(hidden)).toBeVisible(withAccess);
  await expect(ofMia.entries.filter({ hasText: 'She is a shareholder' })).toBeVisible();
  await expect(ofIda.composer).toHaveValue('On its', withAccess);
  await client.deleteTeam({ id: team.id });
});
