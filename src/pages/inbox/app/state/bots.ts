// The names of the bots of the workspace, for the rows of conversations that a bot answers.
import { signal } from '@preact/signals';
import type { InboxApi } from '../api/inbox-api.ts';

export interface BotNames {
  /** Reads the names. Rejects as the request does. */
  load(): Promise<void>;
  /** The name of a bot, once it is known. Reading it while rendering subscribes. */
  nameOf(id: string): string | undefined;
}

export function createBotNames({ listBots }: Pick<InboxApi, 'listBots'>): BotNames {
  const names = signal<ReadonlyMap<string, string>>(new Map());
  return {
    async load() {
      const bots = await listBots();
      names.value = new Map(bots.map(({ id, name }) => [id, name]));
    },
    nameOf: (id) => names.value.get(id),
  };
}
