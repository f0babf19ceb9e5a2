// @vitest-environment jsdom
// Tests that the visitor sees who answers, whatever the network loses. The server is real, under a fake clock.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { advanceClock, advanceUntilSettled, FaultFixture, importSession } from '../chat/session/testing.ts';

await importSession();

let fixture: FaultFixture;
beforeEach(async () => {
  fixture = await FaultFixture.start();
});
afterEach(async () => {
  await fixture.end();
  vi.useRealTimers();
});

/** Opens a page whose conversation is followed. Its visitor can ask for a person with `handOff`. */
async function follow() {
  const tab = fixture.open();
  while (!fixture.log.some((line) => line.endsWith('/activities'))) await advanceClock(100);
  await advanceClock(500);
  const { userKey, conversationId = '' } = fixture.stored;
  const message = { type: 'text' as const, text: 'person' };
  return {
    tab,
    /** The bot asks for a person when it gets this message. */
    handOff: () =>
      advanceUntilSettled(fixture.direct(userKey).createMessage({ conversationId, payload: message })),
  };
}

test('a change of who answers is shown when the stream was cut for a second and could not be resumed', async () => {
  const { tab, handOff } = await follow();
  expect(tab.store.state.handling?.state).toBe('bot');

  fixture.unresumableStreams = 1;
  await fixture.cut();
  await handOff();
  await advanceClock(10_000, 100);

  expect(fixture.unresumableStreams).toBe(0);
  expect(tab.store.state.connection).toBe('online');
  expect(tab.store.state.handling?.state).toBe('waiting');
});

test('a change of who answers is shown when the answer after a cut stream was lost too', async () => {
  const { tab, handOff } = await follow();
  fixture.inject('activities', 'unavailable');
  fixture.unresumableStreams = 1;
  await fixture.cut();
  await handOff();
  await advanceClock(20_000, 100);

  expect(fixture.injected.unavailable).toBe(1);
  expect(tab.store.state.handling?.state).toBe('waiting');
});

test('who answers is shown when the first answer was lost', async () => {
  fixture.inject('activities', 'badGateway');
  const { tab, handOff } = await follow();
  await advanceClock(10_000, 100);
  expect(fixture.injected.badGateway).toBe(1);
  expect(tab.store.state.handling?.state).toBe('bot');
  await handOff();
  await advanceClock(1_000, 100);
  expect(tab.store.state.handling?.state).toBe('waiting');
});
