// Types of users, who participate in conversations, and the limits of their fields.
export type { User, UserFields } from './types/chat.ts';

/** The user as `window.platform.getUser()` returns it. */
export interface WebchatUser {
  id: string;
  createdAt: string;
  updatedAt: string;
  name?: string;
  pictureUrl?: string;
  data?: Record<string, unknown>;
  userKey?: string;
}

/** The input of `window.platform.updateUser()`: omitted fields do not change. */
export type WebchatUserFields = Partial<Pick<WebchatUser, 'name' | 'pictureUrl' | 'data' | 'userKey'>>;

/** Limits of a user's fields. Not in limits.ts, because the bundle of the widget contains them. */
export const userLimits = {
  /** Characters of `name`. */
  userName: 200,
  /** Characters of `pictureUrl`. */
  userPictureUrl: 40_000,
  /** Characters of `profile`. */
  userProfile: 1_000,
} as const;

/** Characters of the id that an application gives to a user. */
export const foreignUserIdLength = 120;

/**
 * An id that an application gives to a user: visible characters of ASCII, as in `ada@example.com` and `auth0|5f7c`. Neither `.`
 * nor `..`, which no address can contain as a part of its path (WHATWG URL, 4.4). Clients of the hosted product expect that a `+` is
 * refused, so only e-mail addresses have one.
 */
export const foreignUserIdPattern = /^(?!\.{1,2}$)(?=[^+]*$|[^@]*@)[!-~]{1,120}$/;

/** The pattern in words, after "must be". */
export const foreignUserIdRule = `1 to ${foreignUserIdLength} visible ASCII characters without spaces, neither . nor .., and + only in an e-mail address`;
