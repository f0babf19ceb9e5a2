// The limits of mails to one address, whoever has left it. Times in milliseconds.

const minute = 60_000;
const day = 24 * 60 * minute;

export const mailLimits = {
  minute,
  day,
  /** Between two mails about a conversation. */
  betweenMails: 15 * minute,
  /** Mails of which no link was opened. */
  mostUnconfirmed: 3,
  /** Mails in a day. */
  mostInDay: 10,
  /** Mails in a day after which no transcript can be requested: answers must still be possible. */
  mostRequested: 5,
} as const;
