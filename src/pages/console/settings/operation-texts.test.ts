// Tests of the words for operations in the audit trail.
import { expect, test } from 'vitest';
import { adminApi } from '../../../client/operations/admin.ts';
import { inboxApi } from '../../../client/operations/inbox.ts';
import { operationText } from './operation-texts.ts';

/** Writes that are not recorded: they happen by looking at a page. */
const unrecorded = new Set(['setInboxPresence', 'setInboxRead', 'watchBotList']);

test('each recorded operation of the Admin API and of the inbox has words', () => {
  const writes = [...Object.entries(adminApi.routes), ...Object.entries(inboxApi.routes)].flatMap(
    ([name, route]) => (route.startsWith('GET ') || unrecorded.has(name) ? [] : [name]),
  );
  const recorded = [...writes, 'getTeamAlerts', 'getBot', 'getBotDeployment'];
  expect(recorded.filter((name) => operationText(name) === name)).toEqual([]);
});
