// Tasks of a joined conversation that run while the page is idle, the visitor's other tabs, older messages, typing, and
// the methods of the page that need a joined conversation. They are in a separate bundle because they are not urgent.

export { createHistory } from './history.ts';
export { renewUserKey } from './key-renewal.ts';
export { createPageMethods } from './page-methods.ts';
export { loadParticipants } from './participants.ts';
export { followRecord } from './stored-record.ts';
export { joinTabs, shareStream } from './tabs.ts';
export { createTyping } from './typing.ts';
