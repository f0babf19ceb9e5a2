// The limits of mails to one address, whoever has left it. Times in milliseconds.

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export const mailLimits = {
  minuteMs,
  dayMs,
  /** Between two mails about a conversation. */
  betweenMailsMs: 15 * minuteMs,
  /** Mails without an opened link. */
  mostUnconfirmed: 3,
  /** Mails in a day. */
  mostInDay: 10,
  /** Mails in a day after which no transcript can be requested: answers must still be possible. */
  mostRequested: 5,
} as const;
