// The English words of the greeting that are not the site owner's.

export const site = {
  dismiss: 'Dismiss',
};
