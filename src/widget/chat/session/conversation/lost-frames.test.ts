// @vitest-environment jsdom
// Property test of the stream: a relay loses, repeats and reorders frames, also those that are sent again. In the end the
// transcript is that of the server. Repeat a run with `SEED=… FAULT_PATH=… npx vitest run lost-frames`.
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { preview } from '../../../../protocol/message.ts';
import { advanceClock, advanceUntilSettled, FaultFixture, importSession } from '../testing.ts';

await importSession();
const seed = Number(process.env.SEED ?? 1);
const path = process.env.FAULT_PATH === undefined ? {} : { path: process.env.FAULT_PATH };
const runs = Number(process.env.FAULT_RUNS ?? 30);

const frameOutcomes = ['passes', 'is lost', 'is repeated', 'comes after the next one'] as const;
type FrameOutcome = (typeof frameOutcomes)[number];

/** Applies one fate to each frame; afterwards all frames pass. */
function createRelay(given: readonly FrameOutcome[]) {
  const left = [...given];
  let late: Uint8Array[] = [];
  return (frame: Uint8Array): Uint8Array[] => {
    const outcome = left.shift() ?? 'passes';
    if (outcome === 'comes after the next one') {
      late.push(frame);
      return [];
    }
    const before = late;
    late = [];
    if (outcome === 'is lost') return before;
    return outcome === 'is repeated' ? [frame, frame, ...before] : [frame, ...before];
  };
}

const actions = ['type', 'ask for a stream', 'write elsewhere', 'delete', 'wait'] as const;

async function act(fixture: FaultFixture, action: (typeof actions)[number]): Promise<void> {
  const [tab] = fixture.tabs;
  const { userKey, conversationId } = fixture.stored;
  if (!tab || !conversationId) return;
  if (action === 'type') fixture.type(tab);
  else if (action === 'ask for a stream') fixture.type(tab, 'stream ');
  else if (action === 'wait') await advanceClock(3_000, 100);
  else if (action === 'write elsewhere') {
    const payload = { type: 'text' as const, text: `elsewhere ${fixture.log.length}` };
    await advanceUntilSettled(fixture.direct(userKey).createMessage({ conversationId, payload }));
  } else {
    const messages = (await fixture.messages(userKey, conversationId)) ?? [];
    const own = messages.filter(({ payload }) => preview(payload).startsWith('elsewhere'));
    const [last] = own.slice(-1);
    if (last) await advanceUntilSettled(fixture.direct(userKey).deleteMessage({ id: last.id }));
  }
  await advanceClock(200);
}

afterEach(() => void vi.useRealTimers());

test('a message whose response was lost is not stored again by a device that was closed for longer than the server remembers', async () => {
  const fixture = await FaultFixture.start();
  try {
    const tab = fixture.open();
    await advanceUntilSettled(tab.session.start());
    // Nothing arrives by the stream, either.
    fixture.silence();
    fixture.inject('send', 'empty');
    fixture.type(tab);
    await advanceClock(200);
    await fixture.sleep(25 * 3_600_000);
    await advanceClock(120_000, 500);
    expect((await fixture.storedTexts()).filter((text) => text === 'm0')).toEqual(['m0']);
    const rows = tab.store.state.rows.filter(({ side }) => side === 'visitor');
    expect(rows.map(({ payload, status }) => [preview(payload), status])).toEqual([['m0', 'sent']]);
  } finally {
    await fixture.end();
  }
});

test('a message that arrives during a slow list stays, also if the list was made before it', async () => {
  const fixture = await FaultFixture.start({ isPlain: true });
  try {
    const tab = fixture.open();
    await advanceUntilSettled(tab.session.start());
    // The response to the message is lost, so that a list has to say whether it is stored.
    fixture.inject('send', 'truncated');
    fixture.inject('list', 'slowResponse');
    fixture.type(tab);
    const isListing = () => fixture.log.at(-1)?.includes('slowResponse');
    while (!isListing()) await advanceClock(100, 10);
    await advanceClock(50, 10);
    const { userKey, conversationId = '' } = fixture.stored;
    const payload = { type: 'text', text: 'elsewhere' } as const;
    await advanceUntilSettled(fixture.direct(userKey).createMessage({ conversationId, payload }));
    await advanceClock(10_000, 100);
    const texts = tab.store.state.rows.map((row) => preview(row.payload));
    expect(texts).toEqual(['Welcome', 'm0', 'echo of m0', 'elsewhere', 'echo of elsewhere']);
    expect(new Set(tab.reported).size).toBe(tab.reported.length);
  } finally {
    await fixture.end();
  }
});

test('whatever frames a relay loses, repeats or reorders, the transcript is that of the server', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...frameOutcomes), { minLength: 5, maxLength: 60, size: 'max' }),
      fc.array(fc.constantFrom(...actions), { minLength: 3, maxLength: 12, size: 'max' }),
      async (given, steps) => {
        const fixture = await FaultFixture.start();
        try {
          const tab = fixture.open();
          while (!fixture.stored.conversationId) await advanceClock(20);
          await advanceClock(500);
          const listensBefore = fixture.log.filter((line) => line.endsWith('/listen')).length;
          fixture.relay = createRelay(given);
          for (const step of steps) await act(fixture, step);
          // Two pings: the first one may be lost too.
          await advanceClock(70_000, 100);
          fixture.relay = undefined;
          await advanceClock(70_000, 100);
          const { userKey, conversationId = '' } = fixture.stored;
          const stored = (await fixture.messages(userKey, conversationId)) ?? [];
          expect(tab.store.state.rows.map(({ id, status }) => [id, status])).toEqual(
            stored.map(({ id }) => [id, 'sent']),
          );
          expect(new Set(tab.reported).size).toBe(tab.reported.length);
          // A gap costs two attempts and one list at most.
          const losses = given.filter((outcome) => outcome !== 'passes' && outcome !== 'is repeated').length;
          const listens = fixture.log.filter((line) => line.endsWith('/listen')).length;
          expect(listens - listensBefore).toBeLessThanOrEqual(2 * losses);
        } finally {
          await fixture.end();
        }
      },
    ),
    { numRuns: runs, seed, ...path, endOnFailure: !process.env.SHRINK },
  );
}, 3_600_000);
