// The English strings of the host-page bundle.

export const hostPage = {
  dismiss: 'Dismiss',
  windowWidth: 'Width of the window',
  windowHeight: 'Height of the window',
};
