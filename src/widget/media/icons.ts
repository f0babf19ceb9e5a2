// The icons of attachments and of the tools of the composer, from Lucide (ISC), each one path in a 24 by 24 box.
export const icons = {
  attach: 'M12 5v14M5 12h14',
  close: 'M18 6 6 18M6 6l12 12',
  emoji: 'M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0M8 14s1.5 2 4 2 4-2 4-2M9 9h.01M15 9h.01',
  file: 'M14 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8zM14 2v6h6',
  retry: 'M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8M3 3v5h5',
  microphone: 'M9 5a3 3 0 0 1 6 0v7a3 3 0 0 1-6 0zM19 10v2a7 7 0 0 1-14 0v-2M12 19v3',
  voice: 'M2 10v3M6 6v11M10 3v18M14 8v7M18 5v13M22 10v3',
};
