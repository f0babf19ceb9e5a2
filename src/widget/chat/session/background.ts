// Tasks of a joined conversation that run while the page is idle, the visitor's other tabs, older messages, typing, and
// the methods of the page that need a joined conversation. Also the proof of work that a server may require. They are in a separate bundle because they are not urgent.
export { createHistory } from './conversation/history.ts';
export { loadParticipants } from './conversation/participants.ts';
export { joinTabs, shareStream } from './conversation/tabs.ts';
export { createTyping } from './conversation/typing.ts';
export { createPageMethods } from './page-methods.ts';
export { renewUserKey } from './user/key-renewal.ts';
export { createUser } from './user/proof-of-work.ts';
export { followRecord } from './user/stored-record.ts';
