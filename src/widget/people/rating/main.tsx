// The entry point of the rating bundle: the question how helpful a person was. Loaded when the visitor is asked.

export { RatingForm } from './RatingForm.tsx';
