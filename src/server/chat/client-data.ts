// What the page offers with a message or an answer: it travels with the event of the bot (its column `data`), and ends with it.
import type { PageClient } from '../../protocol/interrupts.ts';
import { limits } from '../../protocol/limits.ts';
import { assertSize } from '../api/validation.ts';
import type { DeliveryRow } from '../storage/bots/deliveries.ts';

/** Throws PayloadTooLarge. */
export const assertClientSize = (client: PageClient | undefined): void =>
  void assertSize('client', client, limits.client.bytes);

/** What the page offered with a message, or with an answer to a question of the bot; {} for nothing. */
export const clientOf = ({ kind, data }: Pick<DeliveryRow, 'kind' | 'data'>): { client?: PageClient } => {
  const { client } = (kind === 'message' || kind === 'resume' ? JSON.parse(data ?? '{}') : {}) as {
    client?: PageClient;
  };
  return client === undefined ? {} : { client };
};

/** What the event of a message has as its data; null without an offer of the page. */
export const clientData = (client: PageClient | undefined): string | null =>
  client === undefined ? null : JSON.stringify({ client });
