// The entry point of the people bundle: the name of the person who answers, asking for a person, the question how helpful the
// person was, and notifications about answers. Loaded if the server knows handoffs, or with the first message of a person.
import css from './people.css?inline';

export { ActivityRow } from './ActivityRow.tsx';
export { followHandling } from './follow-handling.ts';
export { HandlingBar } from './HandlingBar.tsx';
export { PersonItems } from './PersonItems.tsx';
export { endPush, findPush } from './push/find-push.ts';
export { sendHandlingRequest } from './requests.ts';
export { Speaker, speakerName } from './Speaker.tsx';
export { css };
