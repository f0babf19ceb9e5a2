// What visitors do beyond writing: files, opinions, copies, sound, a fresh start; keys and speech. Loaded when one of them is wanted.
export { Actions } from './Actions.tsx';
export { Attach } from './Attach.tsx';
export { Attachments } from './Attachments.tsx';
export { Contact } from './Contact.tsx';
export { cover } from './cover.ts';
export { watchFar } from './far.ts';
export { Menu } from './Menu.tsx';
export { Restart } from './Restart.tsx';
export { Starters } from './Starters.tsx';
export { chime } from './sound.ts';
export { toSpeech } from './speech.ts';
export { takeAttachments } from './uploads.ts';
export { walk } from './walk.ts';

import css from './tools.css?inline';

export { css };
