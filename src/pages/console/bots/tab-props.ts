// The properties of each part of the screen of a bot.
import type { Bot } from '../../../protocol/types/bots.ts';

export interface TabProps {
  bot: Bot;
}
