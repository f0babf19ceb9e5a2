// The languages and the time zone of the visitor, with each pending event of a bot.

export const visitorLocale = `
  -- locale: those of the user when it happened (JSON); null if the client has not sent them.
  ALTER TABLE deliveries ADD COLUMN locale TEXT;
  `;
