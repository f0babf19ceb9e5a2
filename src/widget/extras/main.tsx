// What visitors do beyond writing: files, opinions, copies, sound, a fresh start; keys and speech. Loaded when one of them is wanted.

export { walk } from './accessibility/message-keyboard-navigation.ts';
export { cover } from './accessibility/page-lock.ts';
export { watchFar } from './accessibility/page-virtualization.ts';
export { toSpeech } from './accessibility/speech.ts';
export { Attach } from './attachments/AttachButton.tsx';
export { Attachments } from './attachments/AttachmentList.tsx';
export { takeAttachments } from './attachments/uploads.ts';
export { Actions } from './feedback/MessageActions.tsx';
export { Contact } from './menu/ContactCard.tsx';
export { Menu } from './menu/Menu.tsx';
export { Restart } from './menu/RestartDialog.tsx';
export { chime } from './notification-sound.ts';
export { Starters } from './Starters.tsx';

import css from './extras.css?inline';

export { css };
