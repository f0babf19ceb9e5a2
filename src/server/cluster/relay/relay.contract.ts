// The contract of relays, which the tests of each implementation run.
import { afterEach, describe, expect, test } from 'vitest';
import { pollOptions } from '../../../polling.testing.ts';
import type { Relay } from './relay.ts';

/** A relay under test: its processes, and how its connections are interrupted, if that is possible. */
export interface RelayFixture {
  connect(): Promise<Relay>;
  /** Closes the connections of all processes; those connect again by themselves. */
  interrupt?(): Promise<void>;
}

/** Runs the contract. `open` returns what is tested, which exists until the end of the tests. */
export function testRelay(name: string, open: () => RelayFixture | Promise<RelayFixture>): void {
  describe(`relay: ${name}`, () => {
    const relays: Relay[] = [];
    afterEach(async () => {
      for (const relay of relays.splice(0)) await relay.close();
    });
    const connect = async (count: number, existing?: RelayFixture): Promise<[Relay, Relay, ...Relay[]]> => {
      const fixture = existing ?? (await open());
      for (let n = 0; n < count; n += 1) relays.push(await fixture.connect());
      return relays as unknown as [Relay, Relay];
    };
    /** Subscribes, and returns the messages. */
    const listen = async (relay: Relay, topic: string) => {
      const received: string[] = [];
      const subscription = relay.subscribe(topic, (message) => received.push(message));
      await subscription.ready;
      return { received, end: subscription.end };
    };

    test('a message reaches every other process once, and not the one that sent it', async () => {
      const [one, two, three] = await connect(3);
      const all = [await listen(one, 'a'), await listen(two, 'a'), await listen(three as Relay, 'a')];
      one.publish('a', 'first');
      two.publish('a', 'second');
      await expect.poll(() => all[2]?.received.length, pollOptions).toBe(2);
      await expect.poll(() => all[0]?.received, pollOptions).toEqual(['second']);
      await expect.poll(() => all[1]?.received, pollOptions).toEqual(['first']);
      expect(new Set(all[2]?.received)).toEqual(new Set(['first', 'second']));
    });

    test('messages of one process arrive in the order of the calls, over all topics', async () => {
      const [one, two] = await connect(2);
      const received: string[] = [];
      const topics = ['a', 'b', 'c'];
      for (const topic of topics) await two.subscribe(topic, (message) => received.push(message)).ready;
      const expected = Array.from({ length: 2_000 }, (_, n) => `${n}`);
      for (const [n, text] of expected.entries()) one.publish(topics[n % 3] ?? '', text);
      await expect.poll(() => received.length, pollOptions).toBe(2_000);
      // Between topics, the order is not promised.
      for (const part of [0, 1, 2]) {
        const ofTopic = (texts: string[]) => texts.filter((text) => Number(text) % 3 === part);
        expect(ofTopic(received)).toEqual(ofTopic(expected));
      }
    });

    test.each([
      ['empty', ''],
      ['with quotes, newlines and separators', `'"\\\n\r\u001e ; 12 3 x\n`],
      ['with characters of several bytes', 'ä 漢字 😀 \u2028'],
      ['as long as the largest frame', 'ä'.repeat(1_500)],
      ['equal to the one before', 'same'],
    ])('a text that is %s arrives unchanged', async (_, text) => {
      const [one, two] = await connect(2);
      const { received } = await listen(two, 'topic: x 1 2\n');
      one.publish('topic: x 1 2\n', text);
      one.publish('topic: x 1 2\n', text);
      await expect.poll(() => received, pollOptions).toEqual([text, text]);
    });

    test('a message that is too large may be lost, and the next ones arrive', async () => {
      const [one, two] = await connect(2);
      const { received } = await listen(two, 'a');
      one.publish('a', 'x'.repeat(100_000));
      one.publish('a', 'next');
      await expect.poll(() => received.at(-1), pollOptions).toBe('next');
    });

    test('a topic without listeners, and a listener that has ended, receive nothing', async () => {
      const [one, two] = await connect(2);
      const ended = await listen(two, 'a');
      const going = await listen(two, 'a');
      const other = await listen(two, 'b');
      ended.end();
      ended.end();
      one.publish('nobody', 'x');
      one.publish('a', 'y');
      one.publish('b', 'z');
      await expect.poll(() => [going.received, other.received], pollOptions).toEqual([['y'], ['z']]);
      expect(ended.received).toEqual([]);
      going.end();
      const again = await listen(two, 'a');
      one.publish('a', 'again');
      await expect.poll(() => again.received, pollOptions).toEqual(['again']);
      expect(going.received).toEqual(['y']);
    });

    test('messages that were published before the end are sent, and a closed relay sends nothing', async () => {
      const [one, two] = await connect(2);
      const { received } = await listen(two, 'a');
      one.publish('a', 'last');
      await relays.shift()?.close();
      one.publish('a', 'after the end');
      await expect.poll(() => received, pollOptions).toEqual(['last']);
      await listen(two, 'b');
      expect(received).toEqual(['last']);
    });

    test('after an interruption every process is notified, and messages arrive again', async () => {
      const fixture = await open();
      if (!fixture.interrupt) return;
      const [one, two] = await connect(2, fixture);
      const { received } = await listen(two, 'a');
      const gaps = [0, 0];
      one.onGap(() => {
        gaps[0] = 1;
      });
      two.onGap(() => {
        gaps[1] = 1;
      });
      const never = two.onGap(() => {
        throw new Error('This listener has ended.');
      });
      never();
      await fixture.interrupt();
      one.publish('a', 'perhaps lost');
      await expect.poll(() => gaps, pollOptions).toEqual([1, 1]);
      // Listeners that subscribe from now on receive messages, too.
      const later = await listen(two, 'b');
      // The sender may not be connected again yet.
      const sent = () => {
        for (const topic of ['a', 'b']) one.publish(topic, 'after');
        return [received.at(-1), later.received.at(-1)];
      };
      await expect.poll(sent, pollOptions).toEqual(['after', 'after']);
    });
  });
}
