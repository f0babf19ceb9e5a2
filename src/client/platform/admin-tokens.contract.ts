// The cases of accounts, sign-in links and of tokens under the names of the hosted product, for admin.contract.ts.
import { expect, test } from 'vitest';
import { type PlatformContractFixture, refusal } from './fixture.contract.ts';

export function adminTokensContract({ server, client, fresh }: PlatformContractFixture): void {
  /** A member with a personal token. */
  async function createMember() {
    const email = `${fresh('member')}@example.com`;
    const { id } = await client().createWorkspaceMember({ email, role: 'developer' });
    const { value } = await client().createToken({ name: 'Phone', kind: 'personal', memberId: id });
    return { id, email, own: client({ token: value }) };
  }

  test('a member changes their name and picture, and removes them', async () => {
    const { id, email, own } = await createMember();
    const fields = { displayName: 'Ada', profilePicture: 'https://example.com/ada.png' };
    const { account } = await own.updateAccount(fields);
    expect(account).toMatchObject({ id, email, ...fields });
    expect(await own.getAccount()).toEqual({ account });
    await own.updateAccount({ displayName: '', profilePicture: '' });
    const { account: plain } = await own.getAccount();
    expect([plain.displayName, plain.profilePicture]).toEqual([undefined, undefined]);
    expect(await refusal(own.updateAccount({ profilePicture: 'javascript:1' }))).toBe('400 InvalidPayload');
  });

  test('a personal access token is created, listed and revoked by its member', async () => {
    const { own } = await createMember();
    const note = fresh('Laptop');
    const { pat } = await own.createPersonalAccessToken({ note });
    const { value, ...stored } = pat;
    expect((await own.list.personalAccessTokens().collect())[0]).toEqual(stored);
    const other = client({ token: value });
    expect((await other.listBots()).bots.map(({ id }) => id)).toContain(server().botId);
    const { id } = pat;
    expect(await refusal(client().deletePersonalAccessToken({ id }))).toBe('404 ResourceNotFound');
    expect(await own.deletePersonalAccessToken({ id })).toEqual({});
    expect(await refusal(other.listBots())).toBe('401 Unauthorized');
    expect((await own.list.personalAccessTokens().collect()).map((one) => one.id)).not.toContain(id);
    expect(await refusal(own.deletePersonalAccessToken({ id }))).toBe('404 ResourceNotFound');
    expect(await refusal(own.createPersonalAccessToken({ note: '' }))).toBe('400 InvalidPayload');
  });

  test('a token of a bot is created, listed and revoked', async () => {
    const { bot } = await client().createBot({ name: fresh('Shop') });
    const { value, ...stored } = await client().createBotApiKey({ botId: bot.id, note: 'Server' });
    expect(await client().list.botApiKeys({ botId: bot.id }).collect()).toEqual([stored]);
    const ofBot = client({ token: value, botId: bot.id });
    expect(await ofBot.list.conversations().collect()).toEqual([]);
    const { id } = stored;
    const { own } = await createMember();
    expect(await refusal(own.deleteBotApiKey({ id }))).toBe('403 Forbidden');
    expect(await client().deleteBotApiKey({ id })).toEqual({});
    expect(await refusal(ofBot.list.conversations().collect())).toBe('401 Unauthorized');
    expect(await client().list.botApiKeys({ botId: bot.id }).collect()).toEqual([]);
    expect(await refusal(client().deleteBotApiKey({ id }))).toBe('404 ResourceNotFound');
    const none = { botId: 'bot_none' };
    expect(await refusal(client().createBotApiKey(none))).toBe('404 ResourceNotFound');
  });

  test('a sign-in link of a member has an address and an end, and is not made for higher roles', async () => {
    const { id, own } = await createMember();
    const { url, expiresAt } = await client().createMemberLink({ id, purpose: 'sign-in' });
    expect(new URL(url ?? '').hash).not.toBe('');
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    const link = (input: object) =>
      refusal(client().createMemberLink({ id, purpose: 'sign-in', ...(input as { id?: string }) }));
    expect(await link({ id: 'member_none' })).toBe('404 ResourceNotFound');
    expect(await link({ purpose: 'odd' })).toBe('400 InvalidPayload');
    // This server sends no mails.
    expect(await link({ delivery: 'mail' })).toBe('403 Forbidden');
    expect(await refusal(own.createMemberLink({ id, purpose: 'sign-in' }))).toBe('403 Forbidden');
  });
}
