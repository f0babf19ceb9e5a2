// The exports of `platform-webchat/testing`: tests of bots, without a server on a port.
export { createTestBot } from './test-bot.ts';
export type { TestBot, TestBotOptions } from './test-bot-interface.ts';
