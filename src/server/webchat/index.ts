// The public interface of webchat: the configuration of a bot, the script of the widget, and the HTML that embeds it.
export { checkConfiguration } from './check-configuration.ts';
export { type ConfigurationStore, createConfigurationStore } from './configuration.ts';
export { chatPage, embedCode } from './embed.ts';
export { fileLimitsOf } from './file-limits.ts';
export { webchatSettings } from './settings.ts';
export { isVersion } from './version-numbers.ts';
export { openWidgetVersions, type WidgetVersions } from './versions.ts';
