// The exports of `platform-webchat/testing`: tests of bots, without a server on a port.
export { createTestBot, type TestBot, type TestBotOptions } from './test-bot.ts';
