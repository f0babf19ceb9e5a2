// The icons of this bundle, from Lucide (ISC), each one path in a 24 by 24 box.
export const icons = {
  done: 'M20 6 9 17l-5-5',
  ended: 'M5 12h14',
};
