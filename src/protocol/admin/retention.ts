// How long the data of a bot is kept.

/** Days that data can be kept at most: a hundred years. */
export const maxRetentionDays = 36_500;
