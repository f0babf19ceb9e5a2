// Tests `agents try` and `bots deploy --agent`, with the examples of docs/guides/agents.md.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AdminClient } from '../client/index.ts';
import { type RelayedServer, startRelayedServer } from '../client/testing.ts';
import {
  type AgentServer,
  begin,
  chunk,
  done,
  say,
  startAgentServer,
} from '../server/bots/agents/testing.ts';
import { run } from './testing.ts';

let agent: AgentServer;
beforeEach(async () => {
  agent = await startAgentServer();
});
afterEach(() => agent.close());

const guide = await readFile(join(import.meta.dirname, '../../docs/guides/agents.md'), 'utf8');

/** The command lines of the guide that begin so, with the address of the agent of this test. */
const commands = (begin: string) =>
  [...guide.matchAll(/^((?:AGENT_KEY=(\S+) )?npx platform-webchat (.*))$/gm)]
    .map(([, , key, line = '']) => ({ key, line }))
    .filter(({ line }) => line.startsWith(begin))
    .map(({ key, line }) => ({
      env: key === undefined ? {} : { AGENT_KEY: key },
      args: [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) =>
        (quoted ?? plain).replace(/^https?:.*\/v1$/, agent.url),
      ),
    }));

describe('agents try', () => {
  const flags = () => ['agents', 'try', '--agent', agent.url, '--agent-model', 'm'];

  test('the examples of the guide print the answer', async () => {
    agent.answer((response, { body }) => say(response, `You said ${body.messages.at(-1)?.content}`));
    const examples = commands('agents try');
    expect(examples).toHaveLength(2);
    const ran = [];
    for (const { args, env } of examples) ran.push(await run(args, { env }));
    expect(ran.map(({ code }) => code)).toEqual([0, 0]);
    expect(ran[0]?.stdout).toContain('You said Do you have bikes?');
    expect(ran[1]?.stdout).toMatch(/^You said Hello\n\ntokens +\d+\n$/);
    expect(agent.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer a-key']);
  });

  test('prints what a visitor would see, without control characters, and not what is hidden', async () => {
    agent.answer((response) =>
      begin(response).end(
        chunk({ reasoning_content: 'canary' }) +
          chunk({
            tool_calls: [
              { index: 0, id: 'a', function: { name: 'se\u001b[2Jarch', arguments: '{"q":"canary"}' } },
            ],
          }) +
          chunk({ content: 'Red\u001b[31m text' }) +
          chunk({ annotations: [{ type: 'url_citation', url: 'https://a.example/', title: 'A' }] }) +
          'data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}\n\n' +
          chunk({}, 'stop') +
          done,
      ),
    );
    const { code, stdout } = await run(flags());
    expect(code).toBe(0);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('canary');
    expect(stdout).toMatch(
      /^Red\[31m text\n\ntool +se \[2Jarch output-available\nsource +A https:\/\/a\.example\/\ntokens +7\n$/,
    );
    const all = await run([...flags(), '--agent-show', 'tools,tool-input,reasoning']);
    expect(all.stdout).toContain('reasoning  canary');
    expect(all.stdout).toContain('{"q":"canary"}');
  });

  test.each([
    [401, 'status 401. Check AGENT_KEY.'],
    [404, 'status 404. Check the address and the name of the model.'],
    [500, 'status 500.'],
  ])('says why there is no answer: status %i', async (status, reason) => {
    agent.answer((response) => response.writeHead(status).end('canary'));
    const { code, stderr, stdout } = await run(flags(), { env: { AGENT_KEY: 'canary-key' } });
    expect(code).toBe(1);
    expect(stderr).toBe(`Error: The agent gave no whole answer: ${reason}\n`);
    expect(stdout + stderr).not.toContain('canary');
  });

  test('half an answer is printed, and has failed', async () => {
    agent.answer((response) => begin(response).end(chunk({ content: 'Half' })));
    const { code, stderr, stdout } = await run(flags());
    expect([code, stdout.split('\n')[0]]).toEqual([1, 'Half']);
    expect(stderr).toContain(
      'incomplete. The response ended before the end of the answer: check AGENT_PROTOCOL.',
    );
  });

  test('a wrong or missing setting and a key as a flag are refused', async () => {
    expect(await run(['agents', 'try'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('AGENT is required'),
    });
    expect(await run([...flags(), '--agent-key', 'canary'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^(?!.*canary).*set AGENT_KEY in the environment/s),
    });
    const url = ['agents', 'try', '--agent', 'https://a.example/'];
    expect((await run(url)).stderr).toContain('openai-chat, openai-responses, ag-ui or ai-sdk');
    expect(agent.requests).toEqual([]);
  });
});

describe('bots deploy --agent', () => {
  let relayed: RelayedServer;
  let folder: string;
  let env: Record<string, string>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-agents-'));
    relayed = await startRelayedServer({ WEBHOOK_PRIVATE: 'first' });
    const { token = '', workspaceId } = relayed.server.admin;
    env = { PLATFORM_API_URL: relayed.directUrl, PLATFORM_TOKEN: token, PLATFORM_WORKSPACE_ID: workspaceId };
  });
  afterEach(async () => {
    await relayed.close();
    await rm(folder, { recursive: true });
  });
  const client = () =>
    new AdminClient({
      apiUrl: relayed.directUrl,
      token: env.PLATFORM_TOKEN ?? '',
      workspaceId: env.PLATFORM_WORKSPACE_ID ?? '',
    });

  test('the examples of the guide deploy the agent', async () => {
    const { bot } = await client().createBot({ name: 'Support' });
    const [command] = commands('bots deploy');
    const ran = await run(command?.args ?? [], { env: { ...env, ...command?.env } });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(`Runs  ${agent.url}`) });
    expect((await client().getBotDeployment({ id: bot.id })).deployment.agent).toMatchObject({
      model: 'llama3.2',
      hasKey: true,
    });
    // The TypeScript example, with these names.
    const [, example = ''] = /```ts\n\/\/ Given:.*\n([\s\S]*?)```/.exec(guide) ?? [];
    const body = example.replace(/^import .*\n/m, '').replace(/^console\.log\((.*)\);$/m, 'return $1;');
    const names = {
      AdminClient,
      apiUrl: relayed.directUrl,
      token: env.PLATFORM_TOKEN,
      workspaceId: env.PLATFORM_WORKSPACE_ID,
      botId: bot.id,
      agentUrl: agent.url,
    };
    const AsyncFunction = (async () => {}).constructor as new (
      ...given: string[]
    ) => (...values: unknown[]) => Promise<unknown>;
    expect(await new AsyncFunction(...Object.keys(names), body)(...Object.values(names))).toBe(true);
  });

  test('an agent is deployed with all options, and removed', async () => {
    await client().createBot({ name: 'Support' });
    const file = join(folder, 'instructions.md');
    await writeFile(file, 'Be brief.');
    const deploy = (...args: string[]) =>
      run(['bots', 'deploy', 'Support', ...args], { env: { ...env, AGENT_HEADERS: '{"x-team":"a"}' } });
    const options = [
      '--agent-protocol',
      'openai-chat',
      '--agent-model',
      'm',
      '--agent-instructions',
      file,
      '--agent-options',
      '{"temperature":0}',
      '--agent-show',
      'none',
      '--agent-timeout',
      '120',
    ];
    const { stdout } = await deploy('--agent', agent.url, ...options, '--json');
    expect(JSON.parse(stdout).agent).toEqual({
      url: agent.url,
      protocol: 'openai-chat',
      model: 'm',
      instructions: 'Be brief.',
      options: { temperature: 0 },
      show: [],
      timeout: 120,
      hasKey: false,
      headerNames: ['x-team'],
    });
    expect((await deploy('--none')).stdout).toContain('Runs  nothing');
  });

  test('a wrong command line changes nothing', async () => {
    const deploy = (...args: string[]) => run(['bots', 'deploy', 'Support', ...args], { env });
    const at = ['--agent', agent.url];
    for (const args of [
      ['--agent-model', 'm'],
      [...at, '--code', 'shop.mjs'],
      [...at, '--agent-protocol', 'openai'],
      [...at, '--agent-options', 'temperature=0'],
      [...at, '--agent-show', 'all'],
      [...at, '--agent-timeout', '0'],
      [...at, '--agent-instructions', join(folder, 'none.md')],
    ])
      expect((await deploy(...args)).code).toBe(2);
  });
});
