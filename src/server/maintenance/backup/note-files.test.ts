// Tests that a backup has the files of notes: those of a note, those that wait for one, and those whose upload is under way.
import { afterEach, expect, test } from 'vitest';
import { run } from '../../../cli/testing.ts';
import { useFolder } from '../../testing/folder.testing.ts';
import { seedNoteFiles } from '../../testing/note-files.testing.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const path = useFolder();
const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers) await server.close();
});

async function start(home?: string): Promise<TestServer> {
  const server = await startTestServer({}, home);
  servers.push(server);
  return server;
}

const command = async (...args: string[]) => {
  const ran = await run(args);
  expect(ran).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Warning') });
  return ran.stdout;
};

test('backup: files of notes in the data folder are restored, and an upload under way goes on', async () => {
  const running = await start();
  const files = await seedNoteFiles(running);
  expect(await command('backup', path('copy'), '--data-dir', running.home)).toContain('copy: 2 files');
  await command('restore', path('copy'), '--data-dir', path('restored'));
  await files.assertGoesOn(await start(path('restored')));
});
