// Converts the user of the page (`WebchatUser`) to the fields of the Chat API and back.
import { toJson } from '../../../client/core/json.ts';
import { platformError } from '../../../protocol/error.ts';
import {
  type User,
  type UserFields,
  userLimits,
  type WebchatUser,
  type WebchatUserFields,
} from '../../../protocol/user.ts';

/** A key becomes a header: with a character outside of ASCII every request would fail like without a network. */
export const isKey = (value: unknown): value is string => typeof value === 'string' && !/[^!-~]/.test(value);

/** Converts the page's fields to those of the Chat API: `data` becomes JSON in `profile`. Throws invalid_argument. */
export function toUserFields({
  name = '',
  pictureUrl = '',
  userKey = '',
  data,
}: WebchatUserFields): UserFields {
  const profile = data === undefined ? '' : toJson(data);
  const areTexts = [name, pictureUrl].every((value) => typeof value === 'string');
  if (
    !areTexts ||
    !isKey(userKey) ||
    !/^({.*})?$/s.test(profile) ||
    name.length > userLimits.userName ||
    pictureUrl.length > userLimits.userPictureUrl ||
    profile.length > userLimits.userProfile
  ) {
    throw platformError(
      'invalid_argument',
      `A user has name (${userLimits.userName} characters), pictureUrl, userKey (ASCII), and data (an object, ${userLimits.userProfile} characters as JSON).`,
    );
  }
  return { ...(name && { name }), ...(pictureUrl && { pictureUrl }), ...(profile && { profile }) };
}

export function toWebchatUser({ profile, ...user }: User, userKey: string | undefined): WebchatUser {
  let data: unknown;
  try {
    data = JSON.parse(profile ?? '');
  } catch {
    // Another application has written the profile.
  }
  const isObject = typeof data === 'object' && data !== null;
  return { ...user, ...(isObject && { data: data as Record<string, unknown> }), ...(userKey && { userKey }) };
}

/**
 * Whether two user keys are of the same user: a site can sign another one for each page view. A key is a JSON Web Token (RFC 7519),
 * whose signature the widget cannot check.
 */
export function isOfSameUser(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    const id = idOf(one);
    return !!id && id === idOf(other);
  } catch {
    return false;
  }
}

// Not shared with key-renewal.ts: two bundles that share a line need a third.
const idOf = (key: string): unknown =>
  JSON.parse(atob((key.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/'))).id;
