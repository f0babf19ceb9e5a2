// Schemas of visitors in the Admin API, and of the time for which their data is kept.
import * as v from 'valibot';
import { described, describedObject, maybe } from '../base/described.ts';
import { timestamp } from '../base/values.ts';

export const visitor = describedObject(
  'A visitor as an administrator sees them. `id` is the foreign id if there is one.',
  {
    id: v.string(),
    serverId: described(v.string(), 'The id that the server assigned.'),
    name: maybe(v.string()),
    createdAt: timestamp,
  },
);

const days = v.number();
const text =
  'Days after which data is removed; 0 keeps it. `messagesDays`: conversations with everything in them, and visitors ' +
  'without an id of the application who have none; `filesDays`: files of visitors; `logsDays`: the log of the bot and ' +
  'dead letters; `contactsDays`: e-mail addresses.';

export const retentionDays = describedObject(text, {
  messagesDays: days,
  filesDays: days,
  logsDays: days,
  contactsDays: days,
});

export const types = { Visitor: visitor, RetentionDays: retentionDays };
