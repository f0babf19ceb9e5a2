// The entry point of the pre-chat form bundle: the form before a conversation. Loaded where the site has configured it.
export { installPreChatForm } from './ask.ts';
export { Form } from './Form.tsx';
