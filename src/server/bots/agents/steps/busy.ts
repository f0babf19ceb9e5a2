// Tells whether an agent refuses a run because an earlier one of the thread is not over.

/**
 * The words of LangGraph ("Thread is already running a task"), CopilotKit ("Thread already running"), AG-UI's runners and others. They
 * decide only whether the request is sent again, and are never shown.
 */
const busyText =
  /\balready (?:running|executing|active|processing|in progress|being processed)|\balready has an? (?:active|running|pending)? ?run|\brun (?:is )?(?:already )?in progress|\bthread (?:is )?(?:currently )?(?:busy|locked)|\bconcurrent runs?\b|\bmultitask/i;
const busyCode =
  /^(?:thread|run|agent|session)?[_-]?(?:already[_-]?running|busy|locked|in[_-]?progress|conflict)$/i;

/** `message` and `code`: of an error, in whatever form. */
export const isBusy = (message: unknown, code?: unknown): boolean =>
  (typeof message === 'string' && busyText.test(message.slice(0, 4_000))) ||
  (typeof code === 'string' && busyCode.test(code));
