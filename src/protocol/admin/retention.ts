// How long the data of a bot is kept.

/** Days that data can be kept at most: a hundred years. */
export const maxRetentionDays = 36_500;

/**
 * Days after which data is removed; 0 keeps it. `messagesDays`: conversations with everything in them, and visitors
 * without an id of the application who have none; `filesDays`: files of visitors; `logsDays`: the log of the bot and
 * dead letters; `contactsDays`: e-mail addresses.
 */
export interface RetentionDays {
  messagesDays: number;
  filesDays: number;
  logsDays: number;
  contactsDays: number;
}
