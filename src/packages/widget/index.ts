// The exports of `@platform-webchat/widget`: the loader, the store of a chat, and the types of its page API.
export type * from '../../widget/global.ts';
export { type LoadOptions, loadWebchat } from './load.ts';
export { bindOpen, type OpenBinding } from './open-binding.ts';
export { createWebchatStore } from './store.ts';
export type { WebchatEvents, WebchatOptions, WebchatState, WebchatStore } from './store-interface.ts';
