// Tests of the widget signals of a bot: they are published and replayed once, and never contain a secret.
import { expect, test } from 'vitest';
import type { Bot } from '../../protocol/bot.ts';
import { startServer } from '../testing/servers.testing.ts';
import { allDelivered } from '../testing/settled-rows.testing.ts';
import type { TestServer } from '../testing.ts';

async function start(handler: (bot: Bot) => Promise<unknown>) {
  const server = await startServer({
    handler: async (event, bot) => {
      if (event.type === 'text') await handler(bot);
    },
  });
  const { key } = await server.user();
  const conversationId = await server.conversation(key);
  await server.sendMessage(key, conversationId, 'go');
  return { server, key, conversationId };
}
const idle = (server: TestServer) => allDelivered(server.db);

test('bot API: visibility and configuration signals are published once and kept for replay', async () => {
  let calls = 0;
  const { server, key, conversationId } = await start(async (bot) => {
    calls += 1;
    await bot.setVisibility('toggle');
    await bot.configure({
      color: '#ff0000',
      radius: 99,
      botName: '',
      adminKey: 'secret',
      adminSecret: 'secret',
    });
    if (calls === 1) await new Promise(() => {});
    await bot.setVisibility('hide');
  });
  const stream = await server.listen(key, conversationId, 1);
  await stream.untilType('webchat_config');
  const again = await server.restart();
  await idle(again);
  expect(calls).toBe(2);
  const late = await again.listen(key, conversationId, 1);
  await late.until(() => late.frames.length === 3);
  expect(late.frames.map(({ signal }) => signal)).toEqual([
    { type: 'webchat_visibility', data: { conversationId, visibility: 'toggle' } },
    { type: 'webchat_config', data: { conversationId, config: { color: '#ff0000', radius: 4 } } },
    { type: 'webchat_visibility', data: { conversationId, visibility: 'hide' } },
  ]);
  expect(late.frames.map(({ id }) => id)).toEqual(['2', '3', '4']);
  const rows = await again.db.read((tx) => tx.all('SELECT * FROM signals'));
  expect(JSON.stringify(rows)).not.toContain('secret');
  await late.cancel();
});

test.each([
  [(bot: Bot) => bot.setVisibility('open' as never), /show, hide, toggle/],
  [(bot: Bot) => bot.configure({ color: 'red' }), /'color'/],
  [(bot: Bot) => bot.configure({ botAvatar: 'javascript:alert(1)' }), /'botAvatar'/],
  [(bot: Bot) => bot.configure({ colour: '#fff' } as never), /'colour'/],
  [(bot: Bot) => bot.configure('red' as never), /object/],
  [(bot: Bot) => bot.configure(null as never), /object/],
  [(bot: Bot) => bot.configure({ additionalStylesheet: 'x'.repeat(128_000) }), /128000/],
])('bot API: %s is rejected', async (act, message) => {
  const errors: unknown[] = [];
  const { server } = await start(async (bot) => {
    await act(bot).catch((error: unknown) => errors.push(error));
  });
  await idle(server);
  expect(String(errors[0])).toMatch(message);
  if (!String(message).includes('128000')) expect(errors[0]).toBeInstanceOf(TypeError);
  expect(await server.db.read((tx) => tx.all("SELECT 1 FROM signals WHERE type LIKE 'webchat%'"))).toEqual(
    [],
  );
});

test('bot API: publicUrl is the setting PUBLIC_URL, or the address that the server was started with', async () => {
  const seen: string[] = [];
  const handler = (_: unknown, bot: Bot) => void seen.push(bot.publicUrl);
  for (const options of [{ PUBLIC_URL: 'https://chat.example.com' }, {}]) {
    const server = await startServer({ handler, ...options });
    await server.composition.start('PUBLIC_URL' in options ? undefined : 'http://127.0.0.1:4000');
    await server.conversation((await server.user()).key);
    await idle(server);
  }
  expect(seen).toEqual(['https://chat.example.com', 'http://127.0.0.1:4000']);
});
