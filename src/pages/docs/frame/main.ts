// The page in the frame of a live chat: a server that is only a mock in the page, and the real script of the chat, which the page
// loads after this one. So a published site shows a chat that works, without a server.
import { createMockServer, type MockBotCall } from '../../../packages/widget/mock/index.ts';
import type { Payload } from '../../../protocol/message.ts';
import type { Configuration } from '../../../protocol/page-api/config.ts';
import { fieldNames } from '../../../protocol/page-api/config-layers.ts';
import type { Platform } from '../../../protocol/page-api/page-api.ts';
import { payloadSamples } from '../try/payload-samples.ts';
import type { FrameWindow } from './try-chat.ts';

let first: Payload[] = [];

/** Between the pieces of a streamed answer, in milliseconds: as fast as one reads. */
const pieceMs = 40;
const answer =
  'This page has **no server**: a mock in your browser answers, and nothing that you write leaves the page.\n\n' +
  'The window is the real one. It would show the same with [your bot](https://mock.test/) behind it.';

async function* pieces(signal: AbortSignal) {
  for (const piece of answer.split(/(?<= )/)) {
    if (signal.aborted) return;
    yield piece;
    await new Promise((resolve) => setTimeout(resolve, pieceMs));
  }
}

async function bot({ type, text, reply, stream, signal }: MockBotCall): Promise<void> {
  if (type === 'conversation_started') {
    for (const payload of first) await reply(payload);
    return;
  }
  if (type === 'conversation_started' || !text) return;
  const sample = payloadSamples(location.href)[text.trim().toLowerCase()];
  if (sample) await reply(sample);
  else if (/how|what|server|\?/i.test(text)) await stream(pieces(signal));
  else await reply(`You wrote “${text}”.`);
}

const mock = createMockServer({ bot, now: Date.now });
mock.install();

const platform = () => (window as unknown as { platform: Platform }).platform;
/** The chat keeps nothing in the browser, and nothing of it is outside of the frame. */
const own: Configuration = { storageLocation: 'memory', themeMode: 'page' };
const allFields = (configuration: Configuration) =>
  Object.fromEntries(fieldNames.map((name) => [name, configuration[name] ?? own[name]])) as Configuration;

(window as FrameWindow).tryChat = {
  start({ configuration, isOpen, payloads }) {
    first = payloads;
    platform().init({ configuration: { ...own, ...configuration } });
    if (isOpen) platform().open();
  },
  configure: (configuration) => platform().config({ configuration: allFields(configuration) }),
  say(payload) {
    if (mock.conversations.length > 0) mock.say(payload);
  },
};
