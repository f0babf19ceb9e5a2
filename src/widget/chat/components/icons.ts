// The icons of the window, from Lucide (ISC), each one path in a 24 by 24 box.
export const icons = {
  close: 'M18 6 6 18M6 6l12 12',
  restart: 'M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8M3 3v5h5',
  send: 'm5 12 7-7 7 7M12 19V5',
  // Drawn with strokes like all icons, which fill it.
  stop: 'M7 7h10v10H7zM8 9h8M8 11h8M8 13h8M8 15h8',
  more: 'M4.5 11.5h1v1h-1zm7 0h1v1h-1zm7 0h1v1h-1z',
  contact: 'M12 16v-4M12 8h.01M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0',
  check: 'M20 6 9 17l-5-5',
  clock: 'M12 6v6l4 2M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0',
};
