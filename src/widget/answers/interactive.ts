// The entry point of the interactive bundle: parts of answers on which the visitor acts. Details of a step and the list of
// sources, questions of the bot that wait for an answer, and apps. Loaded with the first of them.
export { App } from './apps/App.tsx';
export { createDetails } from './details/details-view.tsx';
export { InterruptCard } from './interrupts/InterruptCard.tsx';
