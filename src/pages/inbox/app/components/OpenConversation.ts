// The code of an open conversation, of dialogs and of the list of visitors, in a bundle of its own: the lists are drawn before it is
// loaded.
import '../style/conversation.css';
import '../style/transcript.css';
import '../style/mentions.css';

export { Dialogs } from '../dialogs/Dialogs.tsx';
export { Conversation } from './Conversation.tsx';
export { VisitorList } from './VisitorList.tsx';
export { VisitorPane } from './VisitorPane.tsx';
