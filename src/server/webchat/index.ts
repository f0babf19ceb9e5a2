// The public interface of webchat: the configuration of a bot, the script of the widget, and the HTML that embeds it.
export {
  type ConfigurationStore,
  checkConfiguration,
  createConfigurationStore,
  webchatSettings,
} from './configuration.ts';
export { chatPage, embedCode, fileLimitsOf } from './documents.ts';
export { type BotOrigins, createBotOrigins } from './origins.ts';
export { isVersion, openWidgetVersions, type WidgetVersions } from './versions.ts';
