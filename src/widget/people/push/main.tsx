// The entry point of the push bundle: the button that switches on notifications about answers, and the end of them. Loaded for a
// visitor who waits for a person, or who deletes their data, if the site has a service worker for it.

export { endPush, findPush } from './find-push.ts';
export { PushOffer } from './PushOffer.tsx';
