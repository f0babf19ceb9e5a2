// The words of the greeting that are not the site owner's.
export const words = {
  dismiss: 'Dismiss',
};
