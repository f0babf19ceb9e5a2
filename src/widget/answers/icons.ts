// The icons of this bundle, from Lucide (ISC), each one path in a 24 by 24 box.
export const icons = {
  open: 'm6 9 6 6 6-6',
  done: 'M20 6 9 17l-5-5',
  failed: 'M12 8v5M12 16.5h.01M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0',
  ended: 'M5 12h14',
  waiting: 'M12 6v6l4 2M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0',
};
