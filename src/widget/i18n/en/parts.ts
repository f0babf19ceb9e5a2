// The English strings of the parts bundle: the steps, sources and suggestions of answers.

export const parts = {
  steps: { one: '{count} step', other: '{count} steps' },
  sources: { one: '{count} source', other: '{count} sources' },
  suggestions: { one: '{count} suggestion', other: '{count} suggestions' },
  reasoning: 'Reasoning',
  stepRunning: 'Running',
  stepWaiting: 'Waiting',
  stepDone: 'Done',
  stepFailed: 'Failed',
  stepCancelled: 'Cancelled',
  stepRefused: 'Refused',
  answerNeeded: 'An answer is needed',
};
