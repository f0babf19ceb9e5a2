// The cases of the Admin API, for platform.contract.ts.
import { expect, test } from 'vitest';
import { refusal, type Scene } from './scene.contract.ts';

export function adminContract({ server, client }: Scene): void {
  test('bots: a list, and one of it', async () => {
    const { bots, meta } = await client().listBots();
    expect(meta).toEqual(expect.any(Object));
    expect(bots.map(({ id }) => id)).toContain(server().botId);
    expect(await client().list.bots().collect()).toEqual(bots);
    const { bot } = await client().getBot({ id: server().botId });
    expect(bot).toEqual(bots.find(({ id }) => id === bot.id));
    for (const at of [bot.createdAt, bot.updatedAt]) expect(new Date(at).toISOString()).toBe(at);
  });

  test('the configuration of a bot is stored, and a wrong one is refused whole', async () => {
    const id = server().botId;
    const configuration = { botName: 'Grüße 👍', color: '#0a7a5a' };
    expect(await client().setBotWebchat({ id, configuration })).toEqual({ configuration });
    const wrong = { botName: 'Other', color: 'nonsense' };
    expect(await refusal(client().setBotWebchat({ id, configuration: wrong }))).toBe('400 InvalidPayload');
    expect(await client().getBotWebchat({ id })).toEqual({ configuration });
  });

  test('the snippet of a bot', async () => {
    const { snippet } = await client().getBotSnippet({ id: server().botId });
    expect(snippet).toMatch(/^<script src="http[^"]+\/webchat\.js" async><\/script>$/);
  });

  test.each(['nobody', '../bots', 'a/b?c#d', 'Grüße 👍', '%2e%2e', '..\\x'])(
    'the id %j is of no bot',
    async (id) => {
      expect(await refusal(client().getBot({ id }))).toBe('404 ResourceNotFound');
      expect(await refusal(client().getBotSnippet({ id }))).toBe('404 ResourceNotFound');
      expect(await refusal(client().setBotWebchat({ id, configuration: {} }))).toBe('404 ResourceNotFound');
    },
  );

  test.each(['', '.', '..'])('the id %j is refused before it reaches another address', async (id) => {
    await expect(client().getBot({ id })).rejects.toThrow(TypeError);
    await expect(client().setBotWebchat({ id, configuration: {} })).rejects.toThrow(TypeError);
  });

  test('another workspace is not opened', async () => {
    const other = client({ workspaceId: 'ws_other' });
    expect(await refusal(other.listBots())).toBe('401 Unauthorized');
    expect(await refusal(other.list.bots().collect())).toBe('401 Unauthorized');
  });
}
