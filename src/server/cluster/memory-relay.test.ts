// Tests of the relay of tests itself.
import { createMemoryRelayHub } from './memory-relay.testing.ts';
import { testRelay } from './relay.contract.ts';

testRelay('in memory', () => {
  const hub = createMemoryRelayHub();
  return { connect: async () => hub.connect(), interrupt: async () => hub.gap() };
});
