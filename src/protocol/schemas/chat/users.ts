// Schemas of users, who participate in conversations.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import { describedObject, maybe } from '../base/described.ts';
import { storableText, timestamp } from '../base/values.ts';

const user = describedObject(
  'A user as the Chat API returns it. Timestamps are ISO 8601 UTC ending in `Z`.',
  {
    id: v.string(),
    name: maybe(v.string()),
    pictureUrl: maybe(v.string()),
    profile: maybe(
      v.string(),
      'Opaque text of the application, at most 1,000 characters. The widget stores `data` here, as JSON.',
    ),
    createdAt: timestamp,
    updatedAt: timestamp,
  },
);

const userFields = describedObject('The fields of a user that a client may set.', {
  name: maybe(v.pipe(storableText, v.maxLength(limits.userName))),
  pictureUrl: maybe(v.pipe(storableText, v.maxLength(limits.userPictureUrl))),
  profile: maybe(v.pipe(storableText, v.maxLength(limits.userProfile))),
});

export const userSchemas = { user, userFields };

export const types = { User: user, UserFields: userFields };
