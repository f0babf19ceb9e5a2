// The icons of the home bundle, from Lucide (ISC), each one path in a 24 by 24 box.
export const icons = {
  back: 'm15 18-6-6 6-6',
  close: 'M18 6 6 18M6 6l12 12',
  forward: 'm9 18 6-6-6-6',
  link: 'M15 3h6v6M10 14 21 3M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6',
};
