// The functions of the bot object that reach the window on the visitor's page.
import type { Bot } from '../../protocol/bot.ts';
import { type Signal, visibilities } from '../../protocol/signal.ts';
import { callError, validateWidgetConfiguration } from './call-checks.ts';

/** `conversationId`: as signals have it. `send`: sends a signal once. */
export function createWidgetApi(
  conversationId: string,
  send: (signal: Extract<Signal, { type: 'webchat_visibility' | 'webchat_config' }>) => Promise<void>,
): Pick<Bot, 'setVisibility' | 'configure'> {
  return {
    async setVisibility(visibility) {
      if (!visibilities.includes(visibility)) {
        throw callError(`The visibility must be one of ${visibilities.join(', ')}.`);
      }
      await send({ type: 'webchat_visibility', data: { conversationId, visibility } });
    },
    async configure(configuration) {
      const config = validateWidgetConfiguration(configuration);
      await send({ type: 'webchat_config', data: { conversationId, config } });
    },
  };
}
