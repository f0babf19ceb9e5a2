// The entry point of the start bundle: the home screen and the form before a conversation. Loaded where the site has
// configured one of them.
export { Home } from './home/Home.tsx';
export { installPreChatForm } from './pre-chat-form/ask.ts';
export { Form } from './pre-chat-form/Form.tsx';
