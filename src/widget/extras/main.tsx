// The entry point of the extras bundle: media and cards, attachments, feedback, menus, sound, keyboard navigation and
// speech. Loaded when one of them is needed.
export { AttachButton } from '../media/attachments/AttachButton.tsx';
export { AttachmentList } from '../media/attachments/AttachmentList.tsx';
export { takeAttachments } from '../media/attachments/uploads.ts';
export { composerTools } from '../media/composer/ComposerTools.tsx';
export { Dropdown } from '../media/payloads/Dropdown.tsx';
export { findLinks } from '../media/payloads/find-links.ts';
export { Media } from '../media/payloads/Media.tsx';
export { ContactCard } from '../panels/menu/ContactCard.tsx';
export { dialogs } from '../panels/menu/dialogs.tsx';
export { Menu } from '../panels/menu/Menu.tsx';
export { navigateMessages } from './accessibility/message-keyboard-navigation.ts';
export { updatePageLock } from './accessibility/page-lock.ts';
export { observeDistance } from './accessibility/page-virtualization.ts';
export { toSpeech } from './accessibility/speech.ts';
export { browseInputHistory } from './input-history.ts';
export { drawActions } from './message/MessageActions.tsx';
export { playMessageSound } from './message-sound.ts';
export { followPageLinks } from './page-links.ts';
export { Starters } from './Starters.tsx';
export { ToBottom } from './ToBottom.tsx';

import mediaCss from '../media/payloads/media.css?inline';
import extrasCss from './extras.css?inline';

export const css = extrasCss + mediaCss;
