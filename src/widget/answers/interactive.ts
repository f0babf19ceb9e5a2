// The entry point of the interactive bundle: parts of answers on which the visitor acts. Details of a step and the list of
// sources, and questions of the bot that wait for an answer. Loaded with the first of them.
export { createDetails } from './details/details-view.tsx';
export { InterruptCard } from './interrupts/InterruptCard.tsx';
