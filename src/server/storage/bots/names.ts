// Names of bots that nobody chose.
import { randomUUID } from 'node:crypto';
import type { BotRow } from './bots.ts';

/** A name for a bot that was created without one. Names are unique in a workspace. */
export const generatedName = (): string => `Bot ${randomUUID().slice(0, 8)}`;

/** False for a generated name, and for that of the first bot, which is named after its address. */
export const hasChosenName = ({ name, webhookId }: Pick<BotRow, 'name' | 'webhookId'>): boolean =>
  name !== webhookId && !/^Bot [0-9a-f]{8}$/.test(name);
