// The cases of the Admin API, for platform.contract.ts.
import { expect, test } from 'vitest';
import { AdminClient } from '../index.ts';
import { adminTokensContract } from './admin-tokens.contract.ts';
import { cuttingClient, type PlatformContractFixture, refusal } from './fixture.contract.ts';

export function adminContract(fixture: PlatformContractFixture): void {
  const { server, client, fresh } = fixture;
  adminTokensContract(fixture);

  test('bots: the list contains a bot that can be read', async () => {
    const { bots, meta } = await client().listBots();
    expect(meta).toEqual(expect.any(Object));
    expect(bots.map(({ id }) => id)).toContain(server().botId);
    expect(await client().list.bots().collect()).toEqual(bots);
    const { bot } = await client().getBot({ id: server().botId });
    expect(bot).toMatchObject(bots.find(({ id }) => id === bot.id) ?? {});
    for (const at of [bot.createdAt, bot.updatedAt]) expect(new Date(at).toISOString()).toBe(at);
  });

  test('the configuration of a bot is stored, and an invalid one is refused completely', async () => {
    const id = server().botId;
    const configuration = { botName: 'Grüße 👍', color: '#0a7a5a' };
    expect(await client().setBotWebchat({ id, configuration })).toEqual({ configuration });
    const wrong = { botName: 'Other', color: 'nonsense' };
    expect(await refusal(client().setBotWebchat({ id, configuration: wrong }))).toBe('400 InvalidPayload');
    expect(await client().getBotWebchat({ id })).toEqual({ configuration });
  });

  test('a bot is created, changed, deployed and deleted', async () => {
    const { bot } = await client().createBot({ name: fresh('Shop') });
    const { id } = bot;
    expect((await client().updateBot({ id, name: 'Other' })).bot).toMatchObject({ id, name: 'Other' });
    const { deployment } = await client().setBotDeployment({ id, webhookUrl: 'https://bot.test/hook' });
    expect(deployment).toMatchObject({ webhookUrl: 'https://bot.test/hook' });
    expect(await client().getBotDeployment({ id })).toEqual({ deployment });
    expect(await client().rotateBotSecrets({ id })).toEqual({});
    const { deployment: renewed } = await client().getBotDeployment({ id });
    expect(renewed).toEqual({
      ...deployment,
      signingSecret: expect.any(String),
      userKeySecret: expect.any(String),
    });
    expect(renewed.signingSecret).not.toBe(deployment.signingSecret);
    expect(renewed.userKeySecret).not.toBe(deployment.userKeySecret);
    expect(await refusal(client().revokeUserKeys({ id, userId: 'nobody' }))).toBe('404 ResourceNotFound');
    const oldestFirst = await client().list.bots({ sortDirection: 'asc', pageSize: 1 }).collect();
    expect(oldestFirst.map((one) => one.id)).toEqual(
      (await client().list.bots().collect()).map((one) => one.id).reverse(),
    );
    expect((await client().getBotWebchat({ id, type: 'preconfigured' })).code).toContain('<script');
    expect(await client().deleteBot({ id })).toEqual({});
    expect(await refusal(client().getBot({ id }))).toBe('404 ResourceNotFound');
  });

  test('a repeated request creates only one bot', async () => {
    const name = fresh('Once');
    const { cutting, requests } = cuttingClient(fixture);
    const { bot } = await cutting.createBot({ name });
    const all = await client().list.bots().collect();
    const made = all.filter((one) => one.name === name);
    expect([requests(), made.map(({ id }) => id)]).toEqual([2, [bot.id]]);
  });

  test('a workspace is changed and created, and its members and tokens are managed', async () => {
    const id = server().workspaceId;
    expect((await client().list.workspaces().collect()).map((one) => one.id)).toContain(id);
    const { workspace } = await client().updateWorkspace({ id, name: fresh('Home') });
    expect(await client().getWorkspace({ id })).toEqual({ ...workspace, workspace });
    const other = await client().createWorkspace({ name: fresh('Next'), email: 'next@mail.test' });
    const there = client({ token: other.value, workspaceId: other.workspace.id });
    expect((await there.list.workspaces().collect()).map((one) => one.id)).toEqual([other.workspace.id]);
    expect(await refusal(there.getWorkspace({ id }))).toBe('404 ResourceNotFound');

    const me = await client().getWorkspaceMember();
    const member = await client().createWorkspaceMember({ email: `${fresh('a')}@mail.test`, role: 'viewer' });
    expect((await client().list.workspaceMembers().collect()).map((one) => one.id)).toEqual(
      expect.arrayContaining([me.id, member.id]),
    );
    const { token, value } = await client().createToken({
      name: 'Reads',
      kind: 'personal',
      memberId: member.id,
    });
    expect((await client().list.tokens().collect()).map((one) => one.id)).toContain(token.id);
    const viewer = client({ token: value });
    expect((await viewer.getCurrentToken()).token).toMatchObject({ id: token.id, principal: 'viewer' });
    expect((await viewer.getAccount()).account).toMatchObject({ email: member.email });
    expect(await refusal(viewer.createBot({ name: 'No' }))).toBe('403 Forbidden');
    expect(await client().updateWorkspaceMember({ id: member.id, role: 'developer' })).toMatchObject({
      role: 'developer',
    });
    await client().deleteToken({ id: token.id });
    expect(await refusal(viewer.getAccount())).toBe('401 Unauthorized');
    expect(await client().deleteWorkspaceMember({ id: member.id })).toEqual({});
  });

  test('the token alone identifies the caller', async () => {
    const { apiUrl, token, workspaceId, fetch } = server();
    const alone = new AdminClient({ apiUrl, token, fetch });
    expect((await alone.getCurrentToken()).token.workspaceId).toBe(workspaceId);
    expect((await alone.getAccount()).account.id).toBeTruthy();
    const { workspaces } = await alone.listWorkspaces();
    expect(workspaces.map(({ id }) => id)).toContain(workspaceId);
    expect(await alone.list.workspaces().collect()).toEqual(workspaces);
    expect(() => alone.list.bots()).not.toThrow();
    await expect(alone.list.bots().collect()).rejects.toThrow(/^listBots needs workspaceId/);
    await expect(alone.listBots()).rejects.toThrow(/^listBots needs workspaceId/);
  });

  test('a bot without events has an empty log and no dead letters', async () => {
    const id = server().botId;
    expect(await client().list.botLogs({ id }).collect()).toEqual([]);
    expect(await client().list.deadLetters({ id }).collect()).toEqual([]);
    const letter = { id, eventId: 'none' };
    expect(await refusal(client().redeliverDeadLetter(letter))).toBe('404 ResourceNotFound');
    expect(await refusal(client().deleteDeadLetter(letter))).toBe('404 ResourceNotFound');
  });

  test('the audit log contains the creation of a bot', async () => {
    const { bot } = await client().createBot({ name: fresh('Seen') });
    const query = { operation: 'createBot', pageSize: 1 };
    const { entries } = await client().listAuditLog(query);
    expect(entries).toEqual([
      expect.objectContaining({ operation: 'createBot', status: 200, target: { resource: bot.id } }),
    ]);
    expect(new Date(entries[0]?.createdAt ?? '').toISOString()).toBe(entries[0]?.createdAt);
    expect(await client().list.auditLog({ operation: 'none' }).collect()).toEqual([]);
    await client().deleteBot({ id: bot.id });
    expect((await client().listAuditLog({ actor: 'operator', pageSize: 1 })).entries[0]).toMatchObject({
      operation: 'deleteBot',
      target: { id: bot.id },
    });
  });

  test('a visitor is found, exported and deleted; an unknown one is refused', async () => {
    const id = server().botId;
    expect(await client().list.visitors({ id, userId: 'nobody' }).collect()).toEqual([]);
    expect((await client().listVisitors({ id, pageSize: 1 })).users.length).toBeLessThanOrEqual(1);
    const unknown = { id, userId: 'nobody' };
    expect(await refusal(client().exportVisitor(unknown))).toBe('404 ResourceNotFound');
    expect(await refusal(client().createVisitorArchive(unknown))).toBe('404 ResourceNotFound');
    expect(await refusal(client().deleteVisitor(unknown))).toBe('404 ResourceNotFound');
  });

  test('the periods after which data of a bot is removed are set one by one; an impossible one is refused', async () => {
    const id = server().botId;
    const { defaults, retention } = await client().getBotRetention({ id });
    expect([Object.keys(defaults).length, retention]).toEqual([4, {}]);
    await client().setBotRetention({ id, messagesDays: 90, filesDays: 0 });
    const changed = await client().setBotRetention({ id, messagesDays: null, contactsDays: 7 });
    expect(changed).toEqual({ defaults, retention: { filesDays: 0, contactsDays: 7 } });
    expect(await refusal(client().setBotRetention({ id, logsDays: -1 }))).toBe('400 InvalidPayload');
    expect(await refusal(client().getBotRetention({ id: 'nobody' }))).toBe('404 ResourceNotFound');
    await client().setBotRetention({ id, filesDays: null, contactsDays: null });
  });

  test('the snippet of a bot is its script tag', async () => {
    const { snippet } = await client().getBotSnippet({ id: server().botId });
    expect(snippet).toMatch(/^<script src="http[^"]+\/webchat\.js" async><\/script>$/);
  });

  test.each(['nobody', '../bots', 'a/b?c#d', 'Grüße 👍', '%2e%2e', '..\\x'])(
    'the id %j does not exist',
    async (id) => {
      expect(await refusal(client().getBot({ id }))).toBe('404 ResourceNotFound');
      expect(await refusal(client().getBotSnippet({ id }))).toBe('404 ResourceNotFound');
      expect(await refusal(client().setBotWebchat({ id, configuration: {} }))).toBe('404 ResourceNotFound');
    },
  );

  test.each(['', '.', '..'])('the id %j is refused, because it would change the address', async (id) => {
    await expect(client().getBot({ id })).rejects.toThrow(TypeError);
    await expect(client().setBotWebchat({ id, configuration: {} })).rejects.toThrow(TypeError);
  });

  test('a bot is created, changed, and deleted', async () => {
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

  test('the workspace is renamed, and another one is created', async () => {
    const id = server().workspaceId;
    const name = fresh('workspace');
    expect((await client().updateWorkspace({ id, name })).workspace.name).toBe(name);
    expect((await client().getWorkspace({ id })).workspace.name).toBe(name);
    const made = await client().createWorkspace({ name: 'Two', email: 'ann@example.com' });
    const other = client({ token: made.value, workspaceId: made.workspace.id });
    expect(await other.list.bots().collect()).toEqual([]);
    expect((await other.getAccount()).account.email).toBe('ann@example.com');
    expect(await refusal(other.createWorkspace({ name: 'Three', email: 'bea@example.com' }))).toBe(
      '403 Forbidden',
    );
    expect(await refusal(other.deleteWorkspace({ id: made.workspace.id }))).toBe('403 Forbidden');
    expect(await refusal(client({ token: made.value }).listBots())).toBe('401 Unauthorized');
    // The token of the first start belongs to an operator.
    const opened = client({ workspaceId: made.workspace.id });
    expect(await opened.list.bots().collect()).toEqual([]);
    expect(await client().list.workspaces({ pageSize: 1 }).collect()).toContainEqual(made.workspace);
    expect(await client().deleteWorkspace({ id: made.workspace.id })).toEqual({});
    expect(await refusal(client().deleteWorkspace({ id: made.workspace.id }))).toBe('404 ResourceNotFound');
    expect(await refusal(client().deleteWorkspace({ id }))).toBe('403 Forbidden');
    expect(await refusal(other.listBots())).toBe('401 Unauthorized');
  });

  test('members are added, promoted and removed together with their tokens', async () => {
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

  test('the log and the dead letters of a bot are listed', async () => {
    const { botId: id } = server();
    expect(await client().list.botLogs({ id }).collect()).toEqual(expect.any(Array));
    expect(await client().list.deadLetters({ id }).collect()).toEqual([]);
    const eventId = 'evt_none';
    expect(await refusal(client().redeliverDeadLetter({ id, eventId }))).toBe('404 ResourceNotFound');
    expect(await refusal(client().deleteDeadLetter({ id, eventId }))).toBe('404 ResourceNotFound');
  });

  test('another workspace is not accessible', async () => {
    const other = client({ workspaceId: 'ws_other' });
    expect(await refusal(other.listBots())).toBe('401 Unauthorized');
    expect(await refusal(other.list.bots().collect())).toBe('401 Unauthorized');
  });
}
