// The entry point of the panels bundle: the list of conversations, the visitor's own data. Loaded when one of them is opened.
export { ConversationList } from './conversations/ConversationList.tsx';
export { DeletionDialog } from './own-data/DeletionDialog.tsx';
export { MailDialog } from './own-data/MailDialog.tsx';
export { downloadTranscript, printTranscript } from './own-data/transcript/transcript.ts';
