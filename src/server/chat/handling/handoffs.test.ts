// Tests of handoffs by bots and visitors: who may ask, that the bot is silent until the conversation is returned, and what visitors see.
import { describe, expect, test } from 'vitest';
import type { BotHandler } from '../../../protocol/bot.ts';
import { useInbox } from '../../inbox/testing.ts';

const start = useInbox();

const echo: BotHandler = async (event, bot) => {
  if (event.type !== 'text') return;
  if (event.preview === 'person') await bot.handoff({ reason: 'asked', note: 'VIP' });
  else await bot.reply({ type: 'text', text: `Bot: ${event.preview}` });
};

describe('the bot asks for a person', () => {
  test('the visitor waits, and the bot hears and says nothing until the conversation is returned', async () => {
    const { chat, send, idle, received, texts, hears } = await start(echo);
    await send('Hello');
    await idle();
    await send('person');
    await hears('handoff_requested');
    const { body } = await chat('GET', '/activities');
    expect(body.handling).toMatchObject({ revision: 1, state: 'waiting', queue: { position: 0 } });
    expect(body.activities).toMatchObject([{ type: 'handoff_requested', actor: { kind: 'bot' } }]);
    await send('Is anybody there?');
    await idle();
    expect((await chat('DELETE', '/handoff')).body.handling).toMatchObject({ revision: 2, state: 'bot' });
    await hears('handoff_ended');
    await send('Back');
    await idle();
    expect(await texts()).toEqual([
      ['visitor', 'Hello'],
      ['bot', 'Bot: Hello'],
      ['visitor', 'person'],
      ['visitor', 'Is anybody there?'],
      ['visitor', 'Back'],
      ['bot', 'Bot: Back'],
    ]);
    expect(received.map(({ type, preview }) => [type, preview])).toEqual([
      ['text', 'Hello'],
      ['text', 'person'],
      ['handoff_requested', ''],
      ['handoff_ended', ''],
      ['text', 'Back'],
    ]);
    expect(received.find(({ type }) => type === 'handoff_ended')?.payload).toMatchObject({
      handoff: { requestedBy: 'bot', reason: 'asked', outcome: 'abandoned' },
      messageIds: [expect.any(String)],
    });
  });

  test('a visitor who leaves while the team has snoozed the conversation has left without an answer', async () => {
    const inbox = await start();
    const ada = await inbox.member('Ada');
    const leave = {
      'cancels the request': () => inbox.chat('DELETE', '/handoff'),
      'ends the conversation': () => inbox.chat('POST', '/close'),
    };
    for (const act of Object.values(leave)) {
      await inbox.runtime('POST', '/handoff', {});
      expect((await ada.act('POST', '/snooze', {})).status).toBe(200);
      expect((await act()).status).toBe(200);
    }
    const outcomes = (await inbox.rows('handoffs')).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['abandoned', 'abandoned']);
  });

  test('what it says afterwards is refused, without a failure that the visitor sees', async () => {
    const refused: unknown[] = [];
    const { send, idle, texts, hears, rows } = await start(async (event, bot) => {
      if (event.type !== 'text') return;
      await bot.handoff();
      await bot.reply({ type: 'text', text: 'Wait.' }).catch((error: unknown) => {
        refused.push(error);
        throw error;
      });
    });
    await send('Hello');
    await hears('handoff_requested');
    await idle();
    expect(refused).toMatchObject([{ type: 'HandledByPerson' }]);
    expect(await texts()).toEqual([['visitor', 'Hello']]);
    expect(await rows('bot_logs')).toEqual([]);
  });

  test('a request that is not valid is a TypeError, and changes nothing', async () => {
    const errors: unknown[] = [];
    const { chat, send, idle } = await start(async (event, bot) => {
      if (event.type !== 'text') return;
      for (const request of [{ reason: '' }, { reason: 'x'.repeat(501) }, { note: 7 }, { team: 'x' }])
        await bot.handoff(request as never).catch((error: unknown) => errors.push(error));
    });
    await send('Hello');
    await idle();
    expect(errors.map((error) => error instanceof TypeError)).toEqual([true, true, true, true]);
    expect((await chat('GET', '/activities')).body.handling).toMatchObject({ revision: 0, state: 'bot' });
  });

  test('asking twice is one handoff', async () => {
    const { rows, send, idle } = await start(async (event, bot) => {
      if (event.type !== 'text') return;
      const answers = await Promise.all([bot.handoff(), bot.handoff()]);
      expect(answers).toEqual([
        { accepted: true, position: 0 },
        { accepted: true, position: 0 },
      ]);
      expect(await bot.handling()).toMatchObject({ state: 'waiting', revision: 1 });
    });
    await send('Hello');
    await idle();
    expect(await rows('handoffs')).toHaveLength(1);
  });
});

describe('the visitor asks for a person', () => {
  test('only where the bot offers it: to all, or by a button of one of its messages', async () => {
    const { chat, send, idle, messages, rows, conversationId } = await start(async (event, bot) => {
      if (event.type !== 'text') return;
      const actions = [{ action: 'handoff' as const, label: 'Talk to a person', value: 'Help' }];
      await bot.reply({ type: 'card', title: 'Help', actions });
      await bot.reply({ type: 'text', text: 'No button' });
    });
    expect((await chat('POST', '/handoff', {})).status).toBe(403);
    await send('Hello');
    await idle();
    const [own, card, text] = await messages();
    for (const one of [own, text])
      expect((await chat('POST', '/handoff', { messageId: one?.id })).status).toBe(403);
    const asked = await chat('POST', '/handoff', { messageId: card?.id, reason: 'Help' });
    expect(asked.body).toMatchObject({ accepted: true, position: 0, handling: { state: 'waiting' } });
    // Twice, from another tab.
    expect((await chat('POST', '/handoff', {})).body.handling).toMatchObject({ revision: 1 });
    expect(await rows('handoffs')).toMatchObject([
      { conversation_id: conversationId, requested_by: 'visitor', reason: 'Help', outcome: null },
    ]);
  });

  test('a visitor asks for a person at a bot that offers it to all of its visitors', async () => {
    const { request, chat, member, botId } = await start(echo);
    const { headers } = await member('Mia', 'manager');
    const path = `/v1/admin/bots/${botId}/deployment`;
    const { body } = await request('PUT', path, headers, { visitorHandoff: true });
    expect(body.deployment.visitorHandoff).toBe(true);
    expect((await chat('POST', '/handoff', { reason: 'Help' })).body).toMatchObject({ accepted: true });
  });

  test('a visitor ends a handoff: the bot hears nothing until the next message after two hours', async () => {
    const { chat, send, idle, runtime, received, hears } = await start(echo);
    await runtime('POST', '/handoff', {});
    expect((await chat('POST', '/close', {})).body.handling).toMatchObject({ state: 'closed', revision: 2 });
    expect((await chat('POST', '/close', {})).body.handling).toMatchObject({ state: 'closed', revision: 2 });
    await hears('conversation_closed');
    await send('One more thing');
    await idle();
    expect(received.map(({ type }) => type)).toEqual([
      'handoff_requested',
      'conversation_closed',
      'handoff_requested',
    ]);
    expect((await chat('GET', '/activities')).body.handling).toMatchObject({ state: 'waiting' });
  });
});

describe('another desk', () => {
  test('accepts, hears the visitor, and answers as a person', async () => {
    const inbox = await start(echo);
    const { chat, send, idle, runtime, bot, received, hears, texts, messages, conversationId } = inbox;
    const person = { name: 'Ada', pictureUrl: 'https://example.com/ada.png' };
    expect((await runtime('POST', '/handoff/accept', { person })).status).toBe(409);
    await runtime('POST', '/handoff', { reason: 'refund' });
    const accepted = await runtime('POST', '/handoff/accept', { person });
    expect(accepted.body.handling).toMatchObject({ state: 'assigned', person });
    expect((await runtime('POST', '/handoff/accept', { person })).body.handling.revision).toBe(2);
    const other = await runtime('POST', '/handoff/accept', { person: { name: 'Ben' } });
    expect(other).toMatchObject({
      status: 409,
      body: { type: 'AlreadyTaken', metadata: { assignee: person } },
    });
    await send('Where is my order?');
    await hears('message_for_person');
    await idle();
    expect(received.at(-1)?.payload).toMatchObject({ type: 'text', text: 'Where is my order?' });
    expect((await chat('DELETE', '/handoff')).body.type).toBe('HandledByPerson');
    const body = { conversationId, payload: { type: 'text', text: 'On its way' } };
    expect((await runtime('GET', '/handling')).body).toMatchObject({ handling: { state: 'assigned' } });
    expect((await bot('POST', '/messages', body)).body.type).toBe('HandledByPerson');
    expect((await bot('POST', '/messages', { ...body, as: 'person' })).status).toBe(201);
    expect(await texts()).toEqual([
      ['visitor', 'Where is my order?'],
      ['person', 'On its way'],
    ]);
    expect((await messages()).at(-1)?.author).toEqual({ kind: 'person', ...person });
    expect((await runtime('DELETE', '/handoff')).body.handling).toMatchObject({ state: 'bot' });
    const late = await bot('POST', '/messages', { ...body, as: 'person' });
    expect(late).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
    await hears('handoff_ended');
  });
});
