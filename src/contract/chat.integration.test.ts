// Runs the unchanged test suite of the hosted product's own Chat API client against this server.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCacheFolder } from '../../scripts/cache-folder.mjs';
import { type RelayedServer, startRelayedServer } from '../client/testing.ts';
import type { BotHandler } from '../protocol/bot.ts';
import type { Payload } from '../protocol/message.ts';
import { secret } from '../server/testing.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The bot that the suite expects: it echoes messages, and has special answers for two texts. */
const helloBot: BotHandler = async (event, bot) => {
  if (event.type === 'conversation_started') return;
  if (event.type === 'custom') {
    await bot.sendEvent(event.payload);
    return;
  }
  // One test waits for any next message: an answer to these two would be mistaken for the visitor's.
  if (event.type === 'text' && ['foo', 'bar'].includes(event.preview)) return;
  const metadata = event.preview === 'metadata' ? bot.message?.metadata : undefined;
  const payload = event.preview === 'bloc' ? bloc : (event.payload as unknown as Payload);
  await bot.reply(payload, metadata ? { metadata } : {});
};

const text = (word: string) => ({ type: 'text', text: word }) as const;
const bloc: Payload = { type: 'bloc', items: [text('one'), text('two'), text('three')] };

/**
 * One test of the suite sends the message "metadata" and opens the stream at the same time, and waits for the message in
 * the stream. On a busy machine the message can be created before the stream is open, or arrive together with the
 * response's head, before the test has a listener; then the test waits for ever. Here that message waits until the client
 * has reported that its stream is open (`reportingClient`).
 */
function sendAfterListen() {
  const opened = new Set<string>();
  const waiting = new Map<string, () => void>();
  return async (request: Request, next: (request: Request) => Promise<Response>): Promise<Response> => {
    const listenedId = /\/listening\/([^/]+)$/.exec(request.url)?.[1];
    if (listenedId) {
      opened.add(listenedId);
      waiting.get(listenedId)?.();
      return new Response(null, { status: 204 });
    }
    if (request.method === 'POST' && request.url.endsWith('/messages')) {
      const message = (await request.clone().json()) as { conversationId: string; metadata?: object };
      const { conversationId } = message;
      if (message.metadata && !opened.has(conversationId))
        await new Promise<void>((resolve) => waiting.set(conversationId, resolve));
    }
    return next(request);
  };
}

/**
 * The module that the suite imports as the client's sources: the package contains only the build. The request is sent
 * when the stream is open and is not awaited: the test adds its listeners before anything else can arrive.
 */
const reportingClient = `import { SignalListener } from '@botpress/chat';
export * from '@botpress/chat';
const { listen } = SignalListener;
SignalListener.listen = async (props) => {
  const listener = await listen(props);
  void fetch(\`\${props.url}/listening/\${props.conversationId}\`);
  return listener;
};
`;

let relayed: RelayedServer;
let folder: string;
beforeAll(async () => {
  // The suite expects features of the hosted product that this server refuses by default (docs/concepts/security.md).
  const asHosted = { ANONYMOUS_USER_IDS: 'allow', PARTICIPANTS: 'direct' } as const;
  relayed = await startRelayedServer({ handler: helloBot, ...asHosted }, sendAfterListen());
  // Inside the repository, so that its imports are found in node_modules.
  folder = await createCacheFolder('hosted-client-');
  await cp(join(root, 'node_modules/@botpress/chat/e2e'), join(folder, 'e2e'), { recursive: true });
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src/index.ts'), reportingClient);
  await writeFile(
    join(folder, 'vitest.config.mjs'),
    "export default { test: { include: ['e2e/*.test.ts'] } };\n",
  );
});
afterAll(async () => {
  await relayed.close();
  await rm(folder, { recursive: true, force: true });
});

interface Report {
  testResults: { assertionResults: { status: string; title: string }[] }[];
}

test('with ANONYMOUS_USER_IDS=allow and PARTICIPANTS=direct the 23 tests of the hosted product’s own client pass', async () => {
  const report = join(folder, 'report.json');
  const program = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--config'];
  const options = [
    join(folder, 'vitest.config.mjs'),
    '--reporter=json',
    `--outputFile=${report}`,
    '--testTimeout=60000',
  ];
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    API_URL: `${relayed.directUrl}/chat/demo`,
    ENCRYPTION_KEY: secret,
  };
  // The exit code is ignored, because the report contains the results.
  await new Promise<void>((resolve) =>
    execFile(process.execPath, [...program, ...options], { env, cwd: folder }, () => resolve()),
  );
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report;
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(results).toHaveLength(23);
});
