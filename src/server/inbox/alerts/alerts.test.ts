// Tests of alerts: who is told that a visitor waits, when, by which way, and what prevents it.
import { afterEach, describe, expect, test } from 'vitest';
import { refuse } from '../../bots/webhooks/testing.ts';
import { pollOptions } from '../../testing.ts';
import { startInbox } from '../testing.ts';
import { type Closing, minute, publicUrl, startAlerts } from './testing.ts';

const closing: Closing = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
const start = (...given: Parameters<typeof startAlerts> extends [unknown, ...infer Rest] ? Rest : never) =>
  startAlerts(closing, ...given);

const link = (id: string) => `${publicUrl}/console/?list=all&conversation=${id}`;

describe('a visitor who waits while nobody has the inbox open', () => {
  test('is announced after two minutes, once: by mail, by push and in the chat tool, without a word of the conversation', async () => {
    const { inbox, manager, catcher, peer, ask, setTool, subscribe, pass, messages, told, mailed, settled } =
      await start();
    await setTool();
    const browser = await subscribe(manager);
    const { id, key } = await ask('Lena <b>');
    pass(2 * minute - 1);
    await inbox.idle();
    expect([catcher.mails.length, peer.asked(), messages().length]).toEqual([0, 0, 0]);
    pass(1);
    await told(1);
    await mailed(1);
    await settled();
    const waitingSince = '2026-01-05T12:00:00.000Z';
    const text = `Lena b waits for an answer: ${link(id)}`;
    expect(messages()).toEqual([
      {
        ...{ text, content: text, type: 'conversation_waiting', conversationId: id, url: link(id) },
        ...{ visitor: 'Lena <b>', waitingSince: expect.stringContaining(waitingSince.slice(0, 19)) },
      },
    ]);
    const [mail] = catcher.mails;
    expect(mail?.recipients).toEqual([manager.email]);
    expect(mail?.subject).toBe('Lena <b> waits for an answer');
    expect(mail?.text).toContain(link(id));
    expect(mail?.html).toContain('Lena &lt;b&gt; waits for an answer');
    expect(peer.received.map(({ endpoint, content }) => [endpoint, content])).toEqual([
      [
        browser.endpoint,
        {
          ...{ source: 'platform-webchat', title: 'Lena <b> waits for an answer', url: link(id) },
          ...{ tag: expect.stringMatching(/^[\w-]{32}$/), language: 'en', direction: 'ltr' },
        },
      ],
    ]);
    const all = [messages(), peer.received, catcher.mails.map(({ text, html }) => [text, html])];
    expect(JSON.stringify(all)).not.toContain('secret');
    // The same wait, also with another message.
    await inbox.server.sendMessage(key, id, 'Hello?');
    pass(20 * minute);
    // Another wait of the same visitor.
    const seenSeq = (await manager.call('GET', `/conversations/${id}/timeline`)).body.seq;
    const payload = { type: 'text', text: 'Yes' };
    const reply = await manager.call('POST', `/conversations/${id}/replies`, {
      payload,
      seenSeq,
      take: true,
    });
    expect(reply.status).toBe(201);
    await inbox.server.sendMessage(key, id, 'And now?');
    pass(3 * minute);
    await told(2);
    await mailed(2);
    await settled();
    expect([messages().length, catcher.mails.length, peer.received.length]).toEqual([2, 2, 2]);
  });

  test('is not announced while one of those who could answer has the inbox open, and is as soon as nobody has', async () => {
    const { inbox, manager, ask, setTool, see, pass, messages, told, settled } = await start();
    await setTool();
    const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
    const team = { name: 'Billing', mode: 'manual', memberIds: [ada.id] };
    const { id: teamId } = (await manager.call('POST', '/teams', team)).body.team;
    const first = await ask('Of all');
    const second = await ask('Of a team', { team: teamId });
    const third = await ask('Of a member');
    const assigned = { memberId: ben.id };
    expect((await manager.call('POST', `/conversations/${third.id}/assign`, assigned)).status).toBe(200);
    pass(minute);
    await see(ada.id);
    pass(minute + 1_000);
    // Ada could answer the first two.
    await told(1);
    await settled();
    await see(manager.id);
    pass(91_000);
    await see(manager.id);
    pass(1_000);
    // Mia could answer the first one, and is not of the team.
    await told(2);
    await settled();
    pass(92_000);
    await told(3);
    expect(messages().map(({ conversationId }) => conversationId)).toEqual([third.id, second.id, first.id]);
  });

  test('is mailed to the members of the team, or the one who has the conversation; a restricted team is not left', async () => {
    const { inbox, manager, catcher, ask, pass, mailed, settled } = await start();
    const [ada, ben, vera] = [
      await inbox.member('Ada'),
      await inbox.member('Ben'),
      await inbox.member('Vera', 'viewer'),
    ];
    const make = async (name: string, isRestricted: boolean, memberIds: string[]) =>
      (await manager.call('POST', '/teams', { name, mode: 'manual', isRestricted, memberIds })).body.team.id;
    const recipients = () => catcher.mails.flatMap((mail) => mail.recipients).sort();
    const empty = await make('Empty', true, [vera.id]);
    const billing = await make('Billing', false, [ada.id]);
    await ask('One', { team: empty });
    pass(2 * minute);
    await mailed(1);
    await settled();
    // Of a team in which nobody answers, those who see it.
    expect(recipients()).toEqual([manager.email]);
    await ask('Two', { team: billing });
    pass(2 * minute);
    await mailed(2);
    await settled();
    expect(recipients()).toEqual([ada.email, manager.email].sort());
    const { id } = await ask('Three');
    expect((await manager.call('POST', `/conversations/${id}/assign`, { memberId: ben.id })).status).toBe(
      200,
    );
    pass(2 * minute);
    await mailed(3);
    await settled();
    expect(recipients()).toEqual([ada.email, ben.email, manager.email].sort());
  });

  test('is not announced when the conversation was answered, closed or deleted', async () => {
    const { inbox, manager, ask, setTool, pass, messages, told, settled, catcher, rows } = await start();
    await setTool();
    const [answered, closed, deleted] = [await ask('A'), await ask('B'), await ask('C')];
    const sentinel = await ask('D');
    await manager.call('POST', `/conversations/${answered.id}/replies`, {
      payload: { type: 'text', text: 'Hello' },
      seenSeq: 1_000,
      take: true,
    });
    expect((await manager.call('POST', `/conversations/${closed.id}/close`, {})).status).toBe(200);
    const { status } = await inbox.server.call('DELETE', `/conversations/${deleted.id}`, {
      key: deleted.key,
    });
    expect(status).toBe(200);
    pass(2 * minute + 1_000);
    await told(1);
    await settled();
    expect(messages().map(({ conversationId }) => conversationId)).toEqual([sentinel.id]);
    expect(catcher.mails).toHaveLength(1);
    // With the conversation goes what was sent about it.
    await inbox.server.call('DELETE', `/conversations/${sentinel.id}`, { key: sentinel.key });
    await inbox.server.composition.cleanUp();
    expect(await rows('alerts')).toEqual([]);
  });

  test('outside of the opening hours is announced if the request was accepted; a message is from the opening on', async () => {
    const { inbox, manager, clock, ask, setTool, pass, messages, told, settled } = await start();
    await setTool();
    await manager.call('PUT', '/me/alerts', { mail: false });
    const week = { mon: [['09:00', '12:01']], tue: [['09:00', '17:00']] };
    const hours = { timeZone: 'UTC', week, exceptions: [] };
    expect((await manager.call('PUT', '/opening-hours', hours)).status).toBe(200);
    const accepted = await ask('Accepted');
    pass(3 * minute);
    await told(1);
    await settled();
    const deployment = `/v1/admin/bots/${inbox.botId}/deployment`;
    const shown = await inbox.request('PUT', deployment, manager.headers, { visitorHandoff: true });
    expect(shown.status).toBe(200);
    const { key } = await inbox.server.user({ name: 'Left a message' });
    const id = await inbox.server.conversation(key);
    const path = `/conversations/${id}/handoff`;
    expect((await inbox.server.call('POST', path, { key, body: {} })).body.accepted).toBe(false);
    const email = 'lena@example.com';
    expect((await inbox.server.call('PUT', '/contact', { key, body: { email } })).status).toBe(200);
    const left = await inbox.server.call('POST', path, { key, body: { leavesMessage: true } });
    expect(left.body.accepted).toBe(true);
    // The wait of the accepted request begins again, and is announced in the run that leaves the other one alone.
    const payload = { type: 'text', text: 'Hello' };
    const replies = `/conversations/${accepted.id}/replies`;
    expect((await manager.call('POST', replies, { payload, seenSeq: 1_000, take: true })).status).toBe(201);
    await inbox.server.sendMessage(accepted.key, accepted.id, 'Thanks');
    pass(3 * minute);
    await told(2);
    await settled();
    clock.now = Date.UTC(2026, 0, 6, 9, 1);
    pass(0);
    await inbox.idle();
    pass(minute);
    await told(3);
    expect(messages().map(({ conversationId }) => conversationId)).toEqual([accepted.id, accepted.id, id]);
  });
});

describe('mails', () => {
  test('a member gets one in 15 minutes, which names all who wait then, and none after switching them off', async () => {
    const { inbox, manager, catcher, ask, pass, mailed, settled, setTool, told } = await start();
    await setTool();
    const ada = await inbox.member('Ada');
    await manager.call('PUT', '/me/alerts', { mail: false });
    const off = (await manager.call('GET', '/me/alerts')).body.alerts;
    expect(off.mail).toEqual({ isOffered: true, isOn: false });
    await ask('One');
    pass(2 * minute);
    await mailed(1);
    const [two, three, four] = [await ask('Two'), await ask('Three'), await ask('Four')];
    pass(3 * minute);
    await told(4);
    expect((await ada.call('POST', `/conversations/${three.id}/close`, {})).status).toBe(200);
    pass(11 * minute);
    await inbox.idle();
    expect(catcher.mails).toHaveLength(1);
    pass(minute);
    await mailed(2);
    await settled();
    const mail = catcher.mails[1];
    expect(mail?.recipients).toEqual([ada.email]);
    // The first one waits, too, and was named.
    expect(mail?.subject).toBe('2 visitors wait for an answer');
    for (const { id } of [two, four]) expect(mail?.text).toContain(link(id));
    expect(mail?.text).not.toContain(link(three.id));
  });

  test('one that the mail server does not take is sent again, and does not count', async () => {
    const { catcher, manager, ask, pass, mailed, settled, rows } = await start();
    catcher.refuse(451);
    await ask('Lena');
    pass(2 * minute);
    const attempts = async (count: number) =>
      expect
        .poll(async () => (await rows('alerts')).map(({ attempts }) => Number(attempts)), pollOptions)
        .toEqual([count]);
    await attempts(1);
    await expect.poll(() => rows('inbox_members'), pollOptions).toMatchObject([{ alerted_at: null }]);
    catcher.accept();
    pass(10_000);
    await mailed(1);
    await settled();
    expect(catcher.mails[0]?.recipients).toEqual([manager.email]);
  });
});

describe('the chat tool', () => {
  test('is tried again five times, with longer pauses, and the last problem is shown until one succeeds', async () => {
    const { manager, tool, ask, setTool, pass, told, settled, rows, clock } = await start();
    await setTool();
    tool.answer(refuse(503));
    await ask('Lena');
    pass(2 * minute);
    await told(1);
    const problem = async () => (await manager.call('GET', '/alerts')).body.alerts.problem;
    const due = async () => (await rows('alerts')).find(({ channel }) => channel === 'webhook')?.due_at;
    for (const [index, wait] of [10_000, minute, 5 * minute, 15 * minute, 30 * minute].entries()) {
      await expect.poll(due, pollOptions).toBe(clock.now + wait);
      expect(await problem()).toMatchObject({ reason: 'status', status: 503 });
      pass(wait);
      await told(index + 2);
    }
    await settled();
    expect(tool.received).toHaveLength(6);
    tool.answer((response) => void response.writeHead(200).end('ok'));
    expect((await manager.call('POST', '/alerts/test', {})).body).toEqual({ isSent: true });
    expect(await problem()).toBeUndefined();
    expect(JSON.parse(tool.received[6]?.text ?? '')).toMatchObject({ type: 'test' });
  });

  test('is not tried again after a final refusal, when its address was removed, or when the visitor was answered', async () => {
    const { manager, tool, ask, setTool, pass, told, settled } = await start();
    await setTool();
    await manager.call('PUT', '/me/alerts', { mail: false });
    tool.answer(refuse(404));
    await ask('Lena');
    pass(2 * minute);
    await told(1);
    await settled();
    expect((await manager.call('POST', '/alerts/test', {})).body).toMatchObject({
      isSent: false,
      problem: { reason: 'status', status: 404 },
    });
    tool.answer(refuse(500));
    const { id } = await ask('Ben');
    await ask('Ada');
    pass(2 * minute);
    await told(4);
    await manager.call('POST', `/conversations/${id}/close`, {});
    await setTool(null);
    pass(10_000);
    await settled();
    expect(tool.received).toHaveLength(4);
    expect((await manager.call('POST', '/alerts/test', {})).body).toEqual({ isSent: false });
  });

  test('cannot be made to mention everybody, or to show a link, by the name of a visitor', async () => {
    const { ask, setTool, pass, told, messages } = await start();
    await setTool();
    await ask('<!channel> @everyone [x](http://evil.example) *J. O’Neil-Ünal* 👋');
    pass(2 * minute);
    await told(1);
    expect(messages()[0]?.text).toMatch(
      /^channel everyone x http evil example J\. O’Nei… waits|^[^<>@[\]()*:/]+ waits/,
    );
    expect(messages()[0]?.text.split(' waits')[0]).not.toMatch(/[<>@[\]()*:/]|\.\S/);
  });

  test('has an address that only those see who may change it, and that leads to the Internet', async () => {
    const { inbox, manager, setTool } = await start({ WEBHOOK_PRIVATE: 'refuse' });
    const [ada, url] = [await inbox.member('Ada'), 'https://hooks.example.com/services/T0/B0/secret'];
    for (const [method, path, body] of [
      ['GET', '/alerts', undefined],
      ['PUT', '/alerts', { url }],
      ['POST', '/alerts/test', {}],
    ] as const)
      expect([path, (await ada.call(method, path, body)).status]).toEqual([path, 403]);
    await setTool(url);
    expect((await manager.call('GET', '/alerts')).body).toEqual({ alerts: { url } });
    for (const bad of [
      'http://hooks.example.com/x',
      'https://127.0.0.1/x',
      'https://10.0.0.1/x',
      'https://[::1]/x',
      'https://169.254.169.254/latest',
      'https://user:password@example.com/x',
      'ftp://example.com',
      'hooks',
    ])
      expect([bad, (await manager.call('PUT', '/alerts', { url: bad })).status]).toEqual([bad, 400]);
    // A name is checked when it is resolved.
    await setTool('https://localhost/x');
    expect((await manager.call('POST', '/alerts/test', {})).body).toMatchObject({
      isSent: false,
      problem: { reason: 'address_refused' },
    });
    await setTool(null);
    expect((await manager.call('GET', '/alerts')).body).toEqual({ alerts: {} });
    expect(JSON.stringify([await inbox.rows('requests'), await inbox.rows('audit_log')])).not.toContain(
      'hooks',
    );
  });
});

describe('pushes', () => {
  test('end with the token or the session of the member, and with the member', async () => {
    const { inbox, manager, peer, ask, subscribe, pass, settled, rows, setTool, told } = await start();
    await setTool();
    const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
    const browser = await subscribe(manager);
    await subscribe(ada);
    await subscribe(ben);
    expect((await ben.call('GET', '/me/alerts')).body.alerts.push).toMatchObject({ isOn: true });
    const admin = await inbox.member('Olga', 'owner');
    await subscribe(admin);
    expect((await admin.call('PUT', '/me/alerts', { push: null })).body.alerts.push).toMatchObject({
      isOn: false,
    });
    const remove = (path: string) => inbox.request('DELETE', `/v1/admin${path}`, admin.headers);
    const token = (await rows('tokens')).find(({ member_id }) => member_id === ada.id)?.id;
    expect((await remove(`/tokens/${token}`)).status).toBe(200);
    expect((await remove(`/workspace-members/${ben.id}`)).status).toBe(200);
    expect((await rows('alert_subscriptions')).map(({ member_id }) => member_id).sort()).toEqual(
      [manager.id, ada.id].sort(),
    );
    await ask('Lena');
    pass(2 * minute);
    await told(1);
    await settled();
    expect(peer.received.map(({ endpoint }) => endpoint)).toEqual([browser.endpoint]);
    expect((await rows('alert_subscriptions')).map(({ member_id }) => member_id)).toEqual([manager.id]);
  });

  test('are sent again when the push service is busy, and end when it says that the browser is gone', async () => {
    const { manager, peer, ask, subscribe, pass, settled, rows } = await start();
    const browser = await subscribe(manager);
    peer.answer(503);
    await ask('Lena');
    pass(2 * minute);
    const attempts = async () =>
      Number((await rows('alerts')).find(({ channel }) => channel === 'push')?.attempts ?? 0);
    await expect.poll(attempts, pollOptions).toBe(1);
    await expect.poll(() => peer.asked(), pollOptions).toBe(1);
    peer.answer(undefined);
    await expect
      .poll(() => {
        pass(10_000);
        return peer.received.length;
      }, pollOptions)
      .toBe(1);
    await settled();
    expect(peer.received[0]?.endpoint).toBe(browser.endpoint);
    peer.answer(410);
    await ask('Ben');
    pass(2 * minute);
    await expect.poll(() => rows('alert_subscriptions'), pollOptions).toEqual([]);
  });

  test('are refused for unknown push services, keys that are none, and subscriptions of others', async () => {
    const { inbox, manager, peer, subscribe } = await start();
    const ada = await inbox.member('Ada');
    const put = async (push: object) => (await ada.call('PUT', '/me/alerts', { push })).status;
    const browser = peer.browser();
    expect(await put({ ...browser, endpoint: 'https://push.example.com/x' })).toBe(403);
    expect(await put({ ...browser, keys: { ...browser.keys, p256dh: `B${'A'.repeat(86)}` } })).toBe(400);
    await subscribe(manager, browser);
    expect(await put({ ...browser, keys: peer.browser().keys })).toBe(403);
    // The same browser, in which another member has signed in.
    expect(await put(browser)).toBe(200);
    expect((await inbox.rows('alert_subscriptions')).map(({ member_id }) => member_id)).toEqual([ada.id]);
    const vera = await inbox.member('Vera', 'viewer');
    expect((await vera.call('GET', '/me/alerts')).status).toBe(403);
  });

  test('are not offered without PUSH_CONTACT, nor mails without SMTP_URL', async () => {
    const inbox = await startInbox();
    closing.push(() => inbox.close());
    const ada = await inbox.member('Ada');
    expect((await ada.call('GET', '/me/alerts')).body.alerts).toEqual({
      mail: { isOffered: false, isOn: true },
      push: { isOffered: false, isOn: false },
    });
    const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
    const push = { endpoint: 'https://fcm.googleapis.com/x', keys };
    expect((await ada.call('PUT', '/me/alerts', { push })).status).toBe(403);
  });
});

describe('several processes', () => {
  test.each([
    ['one of which sends', {}],
    // A process that was frozen goes on as if the work were still its own.
    ['both of which send at the same time', { relay: undefined }],
  ])('each wait is announced once at two processes, %s', async (_, options) => {
    const { manager, catcher, peer, ask, setTool, subscribe, pass, told, wake, rows, messages } = await start(
      options,
      2,
    );
    await setTool();
    await subscribe(manager);
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F']) ids.push((await ask(name)).id);
    pass(2 * minute + 1_000);
    await expect
      .poll(async () => {
        wake();
        return (await rows('alerts')).map(({ due_at, attempts }) => [due_at, Number(attempts)]);
      }, pollOptions)
      .toEqual(Array.from({ length: 18 }, () => [null, 1]));
    await told(6);
    expect(
      messages()
        .map(({ conversationId }) => conversationId)
        .sort(),
    ).toEqual(ids.sort());
    expect([catcher.mails.length, peer.received.length]).toEqual([1, 6]);
  });

  test('what was being sent when the server ended is sent again', async () => {
    const { inbox, tool, ask, setTool, pass, told, settled, clock } = await start();
    await setTool();
    // It takes the message, and does not say so.
    tool.answer(() => {});
    const { id } = await ask('Lena');
    pass(2 * minute);
    await told(1);
    await inbox.restart();
    tool.answer((response) => void response.writeHead(204).end());
    clock.now += 5 * minute;
    inbox.server.composition.sendAlerts();
    await told(2);
    await settled();
    expect(tool.received.map(({ text }) => JSON.parse(text).conversationId)).toEqual([id, id]);
  });
});
