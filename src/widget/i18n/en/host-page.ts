// The English strings of the host-page bundle.

export const hostPage = {
  dismiss: 'Dismiss',
};
