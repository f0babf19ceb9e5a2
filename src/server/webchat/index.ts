// The public interface of webchat: the configuration of a bot, the script of the widget, and the HTML that embeds it.
export { type ConfigurationStore, createConfigurationStore } from './configuration.ts';
export { chatPage, embedCode } from './embed.ts';
export { fileLimitsOf } from './file-limits.ts';
export { checkConfiguration } from './large-configurations/check-configuration.ts';
export {
  createLargeBodies,
  type LargeBodies,
  type LargeInput,
  StoredConfiguration,
} from './large-configurations/large-bodies.ts';
export { createThreads } from './large-configurations/thread.ts';
export { webchatSettings } from './settings.ts';
export { isVersion } from './version-numbers.ts';
export { openWidgetVersions, type WidgetVersions } from './versions.ts';
