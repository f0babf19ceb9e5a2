// The whole widget in one module, which requests no other file: for extensions, applications in stores and WebViews.
// Importing it defines `window.platform`, like webchat.js with `data-manual`. Vite builds it.
import { createEmitter } from '../../widget/launcher/page-api/emitter.ts';
import { createPlatform, global } from '../../widget/launcher/page-api/page-api.ts';

const before = global.platform;
// A second copy on the page, or the script tag, is used as it is.
if (!before || Array.isArray(before)) {
  const platform = createPlatform({
    emitter: createEmitter(),
    // Nothing is loaded from there.
    assets: document.baseURI,
    webchat: undefined,
    attributes: { manual: '' },
    chatUrl: undefined,
  });
  global.platform = platform;
  if (before) platform.push(...before);
}
