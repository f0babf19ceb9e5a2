// Tests of a member without a name: colleagues see the e-mail address, visitors see a name for the public.
import { expect, test } from 'vitest';
import { useInbox } from './testing.ts';

const start = useInbox();

test('colleagues see the e-mail address of a member without a name, and visitors never do', async () => {
  const inbox = await start();
  const [ada, nameless] = [await inbox.member('Ada'), await inbox.member(null)];
  await inbox.runtime('POST', '/handoff', {});
  const page = await ada.listen();
  await nameless.act('PUT', '/presence', { state: 'viewing' });
  await nameless.act('POST', '/take');
  await nameless.reply('Hello');
  await nameless.act('POST', '/notes', { body: 'A note' });
  const seenSeq = (await nameless.act('GET', '/timeline')).body.seq;
  const { body: sent } = await nameless.act('POST', '/replies', {
    payload: { type: 'text', text: 'And again' },
    seenSeq,
  });
  const { body: about } = await ada.act('GET', '');
  await nameless.act('POST', '/close');
  await nameless.act('POST', '/reopen');
  await nameless.act('POST', '/return');
  await page.until(({ signal }) => JSON.stringify(signal ?? {}).includes('"state":"bot"'));
  await page.cancel();
  const { body: timeline } = await ada.act('GET', '/timeline');
  const namesIn = (list: { name?: string }[]) => new Set(list.map(({ name }) => name));
  const { messages, notes, activities } = timeline;
  const persons = messages.flatMap(({ author }: { author?: { kind: string } }) =>
    author?.kind === 'person' ? [author] : [],
  );
  const { email } = nameless;
  expect(about.conversation.assignee).toEqual({ memberId: nameless.id, name: email });
  expect(sent.message.author.name).toBe(email);
  expect(namesIn(persons)).toEqual(new Set([email]));
  expect(namesIn(notes.map(({ author }: { author: object }) => author))).toEqual(new Set([email]));
  const acted = activities.filter(({ actor }: { actor: { kind: string } }) => actor.kind === 'person');
  expect(acted.length).toBeGreaterThan(4);
  expect(namesIn(acted.map(({ actor }: { actor: object }) => actor))).toEqual(new Set([email]));
  const frames = page.frames.map(({ data }) => data).join();
  expect(frames).toContain('inbox_presence');
  expect(frames).not.toContain('Support');
  const seen = await Promise.all(
    ['/messages', '/activities', '/participants', '/handling'].map((path) => inbox.chat('GET', path)),
  );
  const logged = JSON.stringify([seen, await inbox.rows('signals'), inbox.received]);
  expect(logged).toContain('Support');
  expect(logged).not.toContain(email);
  expect(logged).not.toContain(nameless.id);
});

test('a name that was written before stays, and one that the member has since replaces none', async () => {
  const inbox = await start();
  const [owner, nameless] = [await inbox.member('Ada', 'owner'), await inbox.member(null)];
  await inbox.runtime('POST', '/handoff', {});
  await nameless.act('POST', '/take');
  await nameless.reply('Hello');
  const rename = (displayName: string) =>
    inbox.request('PUT', `/v1/admin/workspace-members/${nameless.id}`, owner.headers, { displayName });
  const authors = async () =>
    (await owner.act('GET', '/timeline')).body.messages.map(
      ({ author }: { author: { name: string } }) => author.name,
    );
  expect((await rename('Nora')).status).toBe(200);
  await nameless.reply('Hello again');
  expect((await rename('Nora Nemo')).status).toBe(200);
  expect(await authors()).toEqual(['Nora', 'Nora Nemo']);
});
