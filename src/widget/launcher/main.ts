// The entry point of webchat.js: reads its script tag, creates `window.platform` and starts the widget.
import type { Platform } from '../../protocol/page-api/page-api.ts';
import type { Webchat } from '../../protocol/webchat.ts';
import { createEmitter } from './page-api/emitter.ts';
import { createPlatform, global } from './page-api/page-api.ts';

/** The server replaces this text by JSON when it serves the script for a bot; the static file contains it unchanged. */
const served = '%WEBCHAT_BOOT%';

/** The data that the server writes into the script: its features, and the folder of the other files. */
type Boot = Webchat & { assets: string };

function main(script: HTMLScriptElement): void {
  const before = global.platform;
  // An element of the page may have the id `platform`, and a form control in it the name `init`.
  const { init, destroyed } = Object(before) as Partial<Platform>;
  if (typeof init === 'function' && !destroyed) {
    console.warn('[platform] webchat.js is here twice.');
    return;
  }
  const boot = served.startsWith('%') ? undefined : (JSON.parse(served) as Boot);
  // A copy without a prototype: a script of the page may have added names to that of all objects.
  const dataset: DOMStringMap = Object.assign(Object.create(null), script.dataset);
  // The script is served as {chatUrl}/webchat.js, so its own address determines the address of the chat.
  const chatUrl = dataset.chatUrl ?? (boot && new URL('.', script.src).href);
  const platform = createPlatform({
    emitter: createEmitter(),
    assets: new URL(boot?.assets ?? '.', script.src).href,
    webchat: boot,
    attributes: dataset,
    chatUrl,
  });
  global.platform = platform;
  if (Array.isArray(before)) platform.push(...before);
  if (chatUrl && dataset.manual === undefined) platform.init();
}

if (document.currentScript instanceof HTMLScriptElement) main(document.currentScript);
else console.error('[platform] webchat.js must be a classic script.');
