// What a joined conversation does while the page is idle. A bundle of its own, because nobody waits for it.

export { renewUserKey } from './key-renewal.ts';
export { loadParticipants } from './participants.ts';
export { shareStream } from './tabs.ts';
