// The cases of the Admin API, for platform.contract.ts.
import { expect, test } from 'vitest';
import { refusal, type Scene } from './scene.contract.ts';

export function adminContract({ server, client, fresh }: Scene): void {
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

  test('a bot is made, changed, and deleted', async () => {
    const name = fresh('bot');
    const { bot } = await client().createBot({ name, webhookUrl: 'https://bot.example.com/hook' });
    expect(bot).toMatchObject({ name, deployedAt: bot.createdAt });
    const { id } = bot;
    expect((await client().updateBot({ id, name: `${name}!` })).bot.name).toBe(`${name}!`);
    const { deployment } = await client().getBotDeployment({ id });
    expect(deployment).toMatchObject({ webhookUrl: 'https://bot.example.com/hook' });
    expect(deployment.chatUrl.endsWith(`/chat/${deployment.webhookId}`)).toBe(true);
    const { deployment: none } = await client().setBotDeployment({ id, webhookUrl: null });
    expect([none.webhookUrl, none.signingSecret]).toEqual([undefined, undefined]);
    expect((await client().getBot({ id })).bot.deployedAt).toBeUndefined();
    const { webhookId } = deployment;
    expect(await refusal(client().createBot({ name, webhookId }))).toBe('409 AlreadyExists');
    const { code } = await client().getBotWebchat({ id, type: 'sharableUrl' });
    expect(code).toContain(`/chat/${webhookId}/`);
    expect(await client().deleteBot({ id })).toEqual({});
    expect(await refusal(client().deleteBot({ id }))).toBe('404 ResourceNotFound');
    expect(await refusal(client().deleteBot({ id: server().botId }))).toBe('409 ReferenceConstraint');
  });

  test('the workspace, and one beside it', async () => {
    const { workspaces } = await client().listWorkspaces();
    expect(workspaces.map(({ id }) => id)).toEqual([server().workspaceId]);
    const id = server().workspaceId;
    const name = fresh('workspace');
    expect((await client().updateWorkspace({ id, name })).workspace.name).toBe(name);
    expect((await client().getWorkspace({ id })).workspace.name).toBe(name);
    const made = await client().createWorkspace({ name: 'Two', email: 'ann@example.com' });
    const other = client({ token: made.value, workspaceId: made.workspace.id });
    expect(await other.list.bots().collect()).toEqual([]);
    expect((await other.getAccount()).account.email).toBe('ann@example.com');
    expect(await refusal(client({ workspaceId: made.workspace.id }).listBots())).toBe('401 Unauthorized');
  });

  test('members come, rise and go, and take their tokens with them', async () => {
    const email = `${fresh('member')}@example.com`;
    const member = await client().createWorkspaceMember({ email, role: 'viewer' });
    const { id } = member;
    expect(await client().list.workspaceMembers().collect()).toContainEqual(member);
    const { token, value } = await client().createToken({ name: 'Phone', kind: 'personal', memberId: id });
    expect(await client().list.tokens().collect()).toContainEqual(token);
    const theirs = client({ token: value });
    expect(await theirs.getWorkspaceMember()).toEqual(member);
    expect(await refusal(theirs.createBot({ name: 'x' }))).toBe('403 Forbidden');
    await client().updateWorkspaceMember({ id, role: 'developer' });
    expect((await theirs.getCurrentToken()).token).toMatchObject({
      id: token.id,
      principal: 'developer',
      permissions: expect.arrayContaining(['bots.create']),
    });
    const second = await theirs.createToken({ name: 'Laptop', kind: 'personal' });
    expect(await theirs.deleteToken({ id: second.token.id })).toEqual({});
    expect(await client().deleteWorkspaceMember({ id })).toEqual({});
    expect(await refusal(theirs.getCurrentToken())).toBe('401 Unauthorized');
  });

  test('what went wrong with a bot, and events that were given up', async () => {
    const { botId: id } = server();
    expect(await client().list.botLogs({ id }).collect()).toEqual(expect.any(Array));
    expect(await client().list.deadLetters({ id }).collect()).toEqual([]);
    const eventId = 'evt_none';
    expect(await refusal(client().redeliverDeadLetter({ id, eventId }))).toBe('404 ResourceNotFound');
    expect(await refusal(client().deleteDeadLetter({ id, eventId }))).toBe('404 ResourceNotFound');
  });

  test('another workspace is not opened', async () => {
    const other = client({ workspaceId: 'ws_other' });
    expect(await refusal(other.listBots())).toBe('401 Unauthorized');
    expect(await refusal(other.list.bots().collect())).toBe('401 Unauthorized');
  });
}
