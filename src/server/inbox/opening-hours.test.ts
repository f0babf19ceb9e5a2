// Tests of opening hours in the server: who sets them, and what becomes of requests for a person outside of them.
import { expect, test } from 'vitest';
import type { BotHandler } from '../../protocol/bot.ts';
import { useInbox } from './testing.ts';

const startInbox = useInbox();

/** A Friday, 18:30 in Berlin. */
const friday = Date.parse('2026-03-27T17:30:00Z');
const path = '/opening-hours';
const office = {
  timeZone: 'Europe/Berlin',
  week: { mon: [['09:00', '17:00']], fri: [['09:00', '17:00']] },
  exceptions: [{ from: '2026-03-30', to: '2026-03-30', name: 'Holiday', intervals: [['10:00', '12:00']] }],
};
/** On the Monday after summer time has begun, at 10:00. */
const opensAt = '2026-03-30T08:00:00.000Z';

async function start(handler?: BotHandler, options: Parameters<typeof startInbox>[1] = {}) {
  const clock = { now: friday };
  const inbox = await startInbox(handler, { ...options, now: () => clock.now });
  const manager = await inbox.member('Mia', 'manager');
  return { ...inbox, manager, clock };
}

test('opening hours: managers set them, all members read them, and what is none is refused', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  expect((await ada.call('GET', path)).body).toEqual({
    openingHours: { timeZone: 'UTC', always: true, week: {}, exceptions: [] },
    status: { isOpen: true },
  });
  expect((await ada.call('PUT', path, office)).status).toBe(403);
  const set = await inbox.manager.call('PUT', path, office);
  expect(set).toMatchObject({
    status: 200,
    body: { openingHours: office, status: { isOpen: false, opensAt } },
  });
  expect((await ada.call('GET', path)).body).toEqual(set.body);
  for (const bad of [
    { ...office, timeZone: 'Mars/Base' },
    { ...office, week: { mon: [['9:00', '17:00']] } },
    { ...office, week: { mon: [['24:00', '17:00']] } },
    { ...office, exceptions: [{ from: '2026-02-30', to: '2026-03-01', intervals: [] }] },
    { ...office, exceptions: [{ from: '2026-03-02', to: '2026-03-01', intervals: [] }] },
  ])
    expect([bad, (await inbox.manager.call('PUT', path, bad)).status]).toEqual([bad, 400]);
  expect((await ada.call('GET', path)).body).toEqual(set.body);
});

test('opening hours: outside of them a request changes nothing and says when somebody is back; members can still take over', async () => {
  const answers: unknown[] = [];
  const inbox = await start(async (event, bot) => {
    if (event.type !== 'text') return;
    answers.push(await bot.handoff({ reason: 'x', note: 'y' }));
    await bot.reply({ type: 'text', text: 'I go on.' });
  });
  const { manager, chat, runtime, rows, clock, idle } = inbox;
  await manager.call('PUT', path, office);
  const deployment = `/v1/admin/bots/${inbox.botId}/deployment`;
  await inbox.request('PUT', deployment, manager.headers, { visitorHandoff: true });
  const refused = { accepted: false, opensAt };
  const asked = await chat('POST', '/handoff', {});
  expect(asked.body).toEqual({ ...refused, handling: expect.objectContaining({ state: 'bot', opensAt }) });
  expect((await runtime('POST', '/handoff', { note: 'y' })).body).toMatchObject(refused);
  await inbox.send('A person, please');
  await idle();
  expect(answers).toEqual([refused]);
  expect((await inbox.texts()).at(-1)).toEqual(['bot', 'I go on.']);
  for (const table of ['handlings', 'handoffs', 'notes', 'activities'])
    expect([table, await rows(table)]).toEqual([table, []]);

  // At the moment of the opening it is accepted; who waits when the hours end is told when they begin again.
  clock.now = Date.parse(opensAt);
  expect((await runtime('POST', '/handoff', {})).body).toMatchObject({ accepted: true, position: 0 });
  expect((await chat('GET', '/activities')).body.handling).not.toHaveProperty('opensAt');
  clock.now = Date.parse('2026-03-30T10:00:00Z');
  const later = (await chat('GET', '/activities')).body.handling;
  expect(later).toMatchObject({ state: 'waiting', opensAt: '2026-04-03T07:00:00.000Z' });
  expect((await chat('POST', '/handoff', {})).body).toMatchObject({ accepted: true });
  await chat('DELETE', '/handoff');
  expect((await chat('POST', '/handoff', {})).body).toMatchObject({ accepted: false });
  const ada = await inbox.member('Ada');
  expect((await ada.act('POST', '/take', {})).status).toBe(200);
});

test('a message left outside of the opening hours waits for the team with an address, and the bot does not answer it', async () => {
  const inbox = await start(
    async (event, bot) => {
      if (event.type === 'text') await bot.reply({ type: 'text', text: 'The bot' });
    },
    { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'chat@example.com', PUBLIC_URL: 'https://chat.example.com' },
  );
  const { manager, chat, rows, idle } = inbox;
  await manager.call('PUT', path, office);
  const leaves = (body: object = {}) => chat('POST', '/handoff', { leavesMessage: true, ...body });
  expect((await leaves()).status).toBe(403);
  const deployment = `/v1/admin/bots/${inbox.botId}/deployment`;
  await inbox.request('PUT', deployment, manager.headers, { visitorHandoff: true });

  expect((await leaves()).body).toMatchObject({ type: 'InvalidPayload' });
  const setContact = (email: string | null) =>
    inbox.server.call('PUT', '/contact', { key: inbox.key, body: { email } });
  await setContact('ann@example.com');
  expect((await leaves({ leavesMessage: false })).body).toMatchObject({ accepted: false, opensAt });
  expect(await rows('handoffs')).toEqual([]);

  // From two tabs at once.
  const answers = await Promise.all([leaves({ reason: 'Refund' }), leaves()]);
  for (const { body } of answers)
    expect(body).toMatchObject({ accepted: true, handling: { state: 'waiting', opensAt } });
  expect(await rows('handoffs')).toHaveLength(1);
  await inbox.send('Please call me back.');
  await idle();
  expect((await inbox.texts()).at(-1)).toEqual(['visitor', 'Please call me back.']);
  const ada = await inbox.member('Ada');
  expect((await ada.call('GET', '/conversations?list=waiting')).body.conversations).toMatchObject([
    { conversationId: inbox.conversationId, state: 'waiting', preview: 'Please call me back.' },
  ]);
  expect((await ada.act('GET', '')).body.contact).toEqual({ email: 'ann@example.com', state: 'new' });
  // A visitor who leaves no address in the end has still left a message.
  await setContact(null);
  expect((await ada.act('POST', '/take', {})).status).toBe(200);
});
