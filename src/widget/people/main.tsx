// The entry point of the people bundle: who answers the conversation, and asking for a person. Loaded if the server knows
// handoffs, or with the first message of a person.
import css from './people.css?inline';

export { ActivityRow } from './ActivityRow.tsx';
export { followHandling } from './follow-handling.ts';
export { HandlingBar } from './HandlingBar.tsx';
export { PersonItems } from './PersonItems.tsx';
export { sendHandlingRequest } from './requests.ts';
export { Speaker, speakerName } from './Speaker.tsx';
export { css };
