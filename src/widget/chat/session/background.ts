// Tasks of a joined conversation that run while the page is idle, in a separate bundle because they are not urgent.

export { renewUserKey } from './key-renewal.ts';
export { loadParticipants } from './participants.ts';
export { shareStream } from './tabs.ts';
