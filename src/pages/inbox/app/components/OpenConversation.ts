// The code of an open conversation, of its place while none is open, of dialogs and of the list of visitors, in a bundle of its own: the lists are drawn before it is
// loaded.
import '../style/conversation.css';
import '../style/composer.css';
import '../style/transcript.css';
import '../style/mentions.css';

export { Dialogs } from '../dialogs/Dialogs.tsx';
export { Conversation } from './Conversation.tsx';
export { NothingOpen } from './NothingOpen.tsx';
export { VisitorList } from './VisitorList.tsx';
export { VisitorPane } from './VisitorPane.tsx';
