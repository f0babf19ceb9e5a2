// Tests of the colleagues in the header of a conversation: they come and go while a member is about to press something.
import { expect, phone, test } from './inbox-page.ts';

const sizes = { phone, desktop: { viewport: { width: 1280, height: 720 } } };

test('on a phone and on a desktop, the actions of a conversation stay where they are when a colleague comes', async ({
  member,
  openInbox,
  visitor,
}) => {
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
