// Tests that the search indexes of an earlier version are indexed again while the server runs.
import { expect, test } from 'vitest';
import { useInbox } from '../inbox/testing.ts';
import { pollOptions } from '../testing.ts';

const start = useInbox();

test('conversations and passages with words of an earlier version are found after the next start', async () => {
  const inbox = await start();
  const member = await inbox.member('Ada', 'owner');
  await inbox.send('Hauptstraße');
  await member.act('POST', '/take', {});
  const { db } = inbox.server;
  const of = { ...inbox.ofBot, 'content-type': 'application/json' };
  const announced = await inbox.server.fetch('/v1/files', {
    method: 'PUT',
    headers: of,
    body: JSON.stringify({ key: 'a.txt', size: 1 }),
  });
  const { file } = (await announced.json()) as { file: { uploadUrl: string } };
  await inbox.server.fetch(new URL(file.uploadUrl).pathname, { method: 'PUT', body: 'x' });
  const passages = Array.from({ length: 45 }, (_, n) => ({ content: `Hauptstraße ${n}` }));
  const body = JSON.stringify({ passages });
  await inbox.server.fetch('/v1/files/a.txt/passages', { method: 'PUT', headers: of, body });
  // As an earlier version has stored them.
  await db.write(async (tx) => {
    await tx.run('UPDATE handlings SET words_version = 0');
    await tx.run("UPDATE inbox_words SET word = 'hauptstraße' WHERE word = 'hauptstrasse'");
    await tx.run('UPDATE passages SET words_version = 0');
    await tx.run('DELETE FROM passage_words');
  });
  const conversationsOf = async (q: string) =>
    (await member.call('GET', `/conversations?list=all&q=${encodeURIComponent(q)}`)).body.conversations
      .length;
  const found = async () => {
    const response = await inbox.server.fetch('/v1/files/search?query=HAUPTSTRASSE&limit=50', {
      headers: inbox.ofBot,
    });
    return ((await response.json()) as { passages: unknown[] }).passages.length;
  };
  expect([await conversationsOf('hauptstrasse'), await found()]).toEqual([0, 0]);
  await inbox.restart();
  await expect
    .poll(async () => [await conversationsOf('hauptstrasse'), await found()], pollOptions)
    .toEqual([1, 45]);
  expect(await conversationsOf('Hauptstraße')).toBe(1);
  expect((await inbox.rows('passages')).every((row) => Number(row.words_version) === 1)).toBe(true);
  expect((await inbox.rows('handlings')).every((row) => Number(row.words_version) === 1)).toBe(true);
});
