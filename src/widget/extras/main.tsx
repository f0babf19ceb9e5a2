// The entry point of the extras bundle: media and cards, attachments, feedback, menus, sound, keyboard navigation and
// speech. Loaded when one of them is needed.
export { navigateMessages } from './accessibility/message-keyboard-navigation.ts';
export { updatePageLock } from './accessibility/page-lock.ts';
export { observeDistance } from './accessibility/page-virtualization.ts';
export { toSpeech } from './accessibility/speech.ts';
export { AttachButton } from './attachments/AttachButton.tsx';
export { AttachmentList } from './attachments/AttachmentList.tsx';
export { takeAttachments } from './attachments/uploads.ts';
export { composerTools } from './composer/ComposerTools.tsx';
export { MessageActions } from './feedback/MessageActions.tsx';
export { browseInputHistory } from './input-history.ts';
export { Dropdown } from './media/Dropdown.tsx';
export { findLinks } from './media/find-links.ts';
export { Media } from './media/Media.tsx';
export { ContactCard } from './menu/ContactCard.tsx';
export { dialogs } from './menu/dialogs.tsx';
export { Menu } from './menu/Menu.tsx';
export { playMessageSound } from './message-sound.ts';
export { Starters } from './Starters.tsx';
export { ToBottom } from './ToBottom.tsx';

import extrasCss from './extras.css?inline';
import mediaCss from './media/media.css?inline';

export const css = extrasCss + mediaCss;
