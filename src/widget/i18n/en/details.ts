// The English strings of the details bundle: what is opened in an answer.

export const details = {
  stepInput: 'Input',
  stepOutput: 'Output',
  sourcePage: 'Page {page}',
};
