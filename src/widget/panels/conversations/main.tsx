// The entry point of the conversations bundle: the list of the visitor's conversations. Loaded when it is opened.

export { ConversationList } from './ConversationList.tsx';
