// The format of requests to the webhook of a bot.

export const webhookFormat = `
  -- webhook_format: standard, or hosted for programs that read requests of the hosted product.
  ALTER TABLE bots ADD COLUMN webhook_format TEXT NOT NULL DEFAULT 'standard';
`;
