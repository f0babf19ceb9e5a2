// What the widget loads: the configuration of a bot, the script, and the HTML that embeds both. Other folders import this file only.
export { checkConfiguration, createDashboard, type Dashboard } from './configuration.ts';
export { chatPage, embedCode } from './embed.ts';
export { createWebchatScript } from './script.ts';
