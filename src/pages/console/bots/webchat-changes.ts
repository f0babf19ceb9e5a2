// Changes some fields of the stored configuration of a chat; the others stay as they are stored at that moment.
import type { Configuration } from '../../../protocol/page-api/config.ts';
import type { ConsoleClient } from '../console.ts';

/** Fields of `changes` that are undefined are removed. Resolves with the configuration as it was stored. */
export async function changeWebchat(
  client: ConsoleClient,
  id: string,
  changes: (stored: Configuration) => { [N in keyof Configuration]?: Configuration[N] | undefined },
): Promise<Configuration> {
  const { configuration: stored } = await client.getBotWebchat({ id });
  const whole = { ...stored, ...changes(stored) };
  const configuration = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
  return (await client.setBotWebchat({ id, configuration })).configuration;
}
