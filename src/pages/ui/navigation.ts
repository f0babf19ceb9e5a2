// Whether the member has moved between screens since the page was loaded: the first screen takes no focus.
let hasMoved = false;

export const noteMove = (): void => {
  hasMoved = true;
};
export const hasMemberMoved = (): boolean => hasMoved;
