// The entry point of the interrupt bundle: the questions of the bot that wait for an answer, with their forms. Loaded with the
// first message that has one.
export { InterruptCard } from './InterruptCard.tsx';
