// Tests of members who take a conversation at once at two operating system processes of one server. races.test.ts and
// paired-races.integration.test.ts have the races of one process, and of several servers in one. RACE_RUNS repeats the race more often.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InboxRow } from '../../protocol/inbox.ts';
import { type S3Server, startS3rver } from '../files/s3/servers.testing.ts';
import { useServerProcess } from '../testing/process.testing.ts';
import { readStream } from '../testing.ts';

const rounds = Number(process.env.RACE_RUNS ?? 20);
const { run, folder, bot: writeBot } = useServerProcess();
let store: S3Server;
beforeAll(async () => {
  store = await startS3rver();
});
afterAll(() => store.close());

/** Calls an API of one of the processes. */
async function call(
  url: string,
  request: string,
  headers: Record<string, string>,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
): Promise<{ status: number; body: any }> {
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** Two processes with the same data. */
async function startProcesses() {
  const adminToken = randomBytes(32).toString('hex');
  const { url: S3_URL, region, accessKeyId, secretAccessKey } = await store.bucket();
  const keys = { S3_REGION: region, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey };
  const env = {
    ...{ S3_URL, ...keys, ADMIN_TOKEN: adminToken, PUBLIC_URL: 'https://chat.example.com' },
    BOT: await writeBot('export default () => {};'),
  };
  const first = await run(env);
  const second = await run({ ...env, DATA_DIR: join(folder(), 'other') });
  for (const { url, stderr } of [first, second]) expect(url, stderr()).toMatch(/^http:/);
  expect(first.child.pid).not.toBe(second.child.pid);
  return { urls: [first.url, second.url], adminToken };
}

/** The processes, with members, each of whom has a stream of the inbox at one of them. */
async function start(memberCount: number) {
  const { urls, adminToken } = await startProcesses();
  /** The process whose turn it is. */
  const at = (n: number): string => urls[n % urls.length] ?? '';
  const admin = { authorization: `Bearer ${adminToken}` };
  const [{ id: workspaceId }] = (await call(at(0), 'GET /v1/admin/workspaces', admin)).body.workspaces;
  const ofWorkspace = { ...admin, 'x-workspace-id': workspaceId };
  const [bot] = (await call(at(0), 'GET /v1/admin/bots', ofWorkspace)).body.bots;

  async function createMember(n: number) {
    const fields = { email: `m${n}@example.com`, displayName: `Member ${n}`, role: 'support' };
    const { id } = (await call(at(n), 'POST /v1/admin/workspace-members', ofWorkspace, fields)).body;
    const token = { name: 'Race', kind: 'personal', memberId: id };
    const { value } = (await call(at(n), 'POST /v1/admin/tokens', ofWorkspace, token)).body;
    const headers = { authorization: `Bearer ${value}`, 'x-workspace-id': workspaceId };
    const stream = readStream(await fetch(`${at(n)}/v1/inbox/stream`, { headers }));
    return { id: id as string, headers, stream };
  }

  /** A conversation of a new visitor, who waits for a person. */
  async function handOff(n: number): Promise<{ id: string; participants(): Promise<unknown[]> }> {
    const ofUser = { 'x-user-key': (await call(at(n), 'POST /chat/demo/users', {}, {})).body.key as string };
    const { id } = (await call(at(n), 'POST /chat/demo/conversations', ofUser, {})).body.conversation;
    const ofBot = { ...admin, 'x-bot-id': bot.id };
    const asked = await call(at(n + 1), `POST /v1/chat/conversations/${id}/handoff`, ofBot, {});
    expect(asked.body.accepted).toBe(true);
    const path = `GET /chat/demo/conversations/${id}/participants`;
    return { id, participants: async () => (await call(at(n), path, ofUser)).body.participants };
  }

  const members = [];
  for (let n = 0; n < memberCount; n += 1) members.push(await createMember(n));
  return { urls, at, members, handOff };
}

test('two operating system processes: of six members who take or reply at once, one answers, and the others are told who', async () => {
  const { urls, at, members, handOff } = await start(6);
  const reply = { payload: { type: 'text', text: 'Hi' }, seenSeq: 1_000, take: true };
  /** How often a member won at each of the processes. */
  const wins = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const { id, participants } = await handOff(round);
    const path = `/v1/inbox/conversations/${id}`;
    const isReply = round % 2 === 1;
    // The members change places, so that neither process is always asked first.
    const answers = await Promise.all(
      members.map(({ headers }, n) =>
        isReply
          ? call(at(n + round), `POST ${path}/replies`, headers, reply)
          : call(at(n + round), `POST ${path}/take`, headers, { revision: 1 }),
      ),
    );
    const won = answers.findIndex(({ status }) => status < 300);
    const winner = members[won];
    wins[(won + round) % 2] = (wins[(won + round) % 2] ?? 0) + 1;
    const refused = answers.filter((_, n) => n !== won);
    const type = isReply ? 'AssignedToOther' : 'AlreadyTaken';
    expect(refused.map(({ status, body }) => [status, body.type, body.metadata?.assignee?.memberId])).toEqual(
      refused.map(() => [409, type, winner?.id]),
    );

    // Both processes read the same, and the streams of both are told of it.
    const rows: InboxRow[] = [];
    for (const url of urls) {
      const { headers } = members[0] ?? {};
      const { conversation } = (await call(url, `GET ${path}`, headers ?? {})).body;
      rows.push(conversation);
      const { messages, activities } = (await call(url, `GET ${path}/timeline`, headers ?? {})).body;
      expect(messages).toHaveLength(isReply ? 1 : 0);
      expect(activities.map((one: { type: string }) => one.type)).toEqual([
        'person_joined',
        'handoff_requested',
      ]);
    }
    expect(rows[0]).toMatchObject({ state: 'assigned', revision: 2, assignee: { memberId: winner?.id } });
    expect(rows[1]).toEqual(rows[0]);
    expect(await participants()).toHaveLength(2);
    for (const { stream } of members.slice(0, 2)) {
      const { data } = await stream.until(
        ({ data }) => data.includes(id) && data.includes('"inbox_row"') && data.includes('"assigned"'),
      );
      expect(JSON.parse(data).data.row).toMatchObject({ revision: 2, assignee: { memberId: winner?.id } });
    }
  }
  if (process.env.RACE_RUNS) console.log(`won at each process: ${wins}`);
  for (const { stream } of members) await stream.cancel();
});
