// The entry point of the push bundle: the button that switches on notifications about answers. Loaded for a visitor who waits for a
// person, if the site has a service worker for it.

export { PushOffer } from './PushOffer.tsx';
