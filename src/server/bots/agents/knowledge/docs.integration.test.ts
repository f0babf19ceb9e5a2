// Runs the programs of docs/guides/knowledge.md unchanged against a real server over HTTP, then asks the agent as a visitor.
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCacheFolder } from '../../../../../scripts/cache-folder.mjs';
import type { Message } from '../../../../protocol/message.ts';
import { type FilesFixture, startFilesFixture } from '../../../files/testing.ts';
import { pollOptions } from '../../../testing.ts';
import { agentSettings } from '../settings.ts';
import { type AgentServer, say, startAgentServer } from '../testing.ts';

const root = join(import.meta.dirname, '../../../../..');
let agent: AgentServer;
let files: FilesFixture;
let folder: string;
beforeEach(async () => {
  agent = await startAgentServer();
  files = await startFilesFixture({
    WEBHOOK_PRIVATE: 'first',
    agentHooks: { times: { search: 120_000 } },
  });
  folder = await createCacheFolder('knowledge-docs-');
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await files.server.close();
  await agent.close();
});

test('the programs of the page store a document and let an agent answer from it', async () => {
  const page = await readFile(join(root, 'docs/guides/knowledge.md'), 'utf8');
  const programs = [...page.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => code ?? '');
  expect(programs).toHaveLength(2);
  const { server, tokens, bots } = files;
  const http = createServer(
    getRequestListener(server.composition.app.fetch, { overrideGlobalObjects: false }),
  );
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const env = {
    ...process.env,
    API: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    TOKEN: tokens.bot,
    ADMIN: server.admin.token,
    WORKSPACE: server.admin.workspaceId,
    BOT: bots.own,
    AGENT: agent.url,
  };
  const printed: string[] = [];
  for (const [index, code] of programs.entries()) {
    const file = join(folder, `example-${index}.mjs`);
    await writeFile(file, code);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env, timeout: 60_000 });
    printed.push(stdout.trim());
  }
  expect(printed).toEqual(['indexing_completed', 'Help']);
  http.close();
  http.closeAllConnections();

  agent.answer((response, { body }) =>
    say(response, body.messages.at(-1)?.content.includes('thirty days') ? 'Within thirty days [1].' : 'No.'),
  );
  const { key, id } = await server.user();
  const conversationId = await server.conversation(key);
  await server.sendMessage(key, conversationId, 'How do I return a parcel?');
  const answer = async () => {
    const { body } = await server.call('GET', `/conversations/${conversationId}/messages`, { key });
    return (body as { messages: Message[] }).messages.find(({ userId }) => userId !== id);
  };
  await expect.poll(answer, pollOptions).toMatchObject({
    payload: { markdown: 'Within thirty days [1].' },
    parts: [{ type: 'source', title: 'Returns', url: 'https://shop.example/returns' }],
  });
});

test('the command of the page names settings that exist', async () => {
  const page = await readFile(join(root, 'docs/guides/knowledge.md'), 'utf8');
  const [, command = ''] = /^```sh\n(npx platform-webchat serve .*)\n```/m.exec(page) ?? [];
  const flags = [...command.matchAll(/--([a-z-]+)/g)].map(([, flag = '']) =>
    flag.toUpperCase().replaceAll('-', '_'),
  );
  expect(flags).toEqual(['AGENT', 'AGENT_MODEL', 'AGENT_KNOWLEDGE']);
  for (const flag of flags) expect(Object.keys(agentSettings)).toContain(flag);
});
