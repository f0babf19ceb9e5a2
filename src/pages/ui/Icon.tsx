// The icons of the console, from Lucide (ISC), each one path in a 24 by 24 box. Decorative: what they are on has a name.
const paths = {
  back: 'm15 18-6-6 6-6',
  more: 'M4 12h1m7 0h1m7 0h1',
  note: 'M16 3H5a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10l6-6V5a2 2 0 0 0-2-2zM15 21v-5a1 1 0 0 1 1-1h5',
  reply: 'M9 17 4 12l5-5M4 12h11a5 5 0 0 1 5 5v2',
  visitor: 'M12 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM4 22a8 8 0 0 1 16 0',
  gear: 'M4 7h10m4 0h2M4 17h2m4 0h10M14 4v6M10 14v6',
  close: 'M18 6 6 18M6 6l12 12',
  filter: 'M3 5h18M6 12h12M10 19h4',
  answer: 'M13 2 4 14h7l-1 8 9-12h-7z',
  attach: 'm21.4 11.1-9.2 9.2a6 6 0 0 1-8.5-8.5l8.6-8.6a4 4 0 1 1 5.7 5.7l-8.6 8.6a2 2 0 0 1-2.8-2.8l8-8',
  file: 'M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7zM14 2v6h6',
  link: 'M15 3h6v6M10 14 21 3M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6',
  inbox:
    'M22 12h-6l-2 3h-4l-2-3H2M5.5 5.1 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6l-3.5-6.9A2 2 0 0 0 16.8 4H7.2a2 2 0 0 0-1.7 1.1z',
  bot: 'M12 8V4H8M6 8h12a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2zM2 14h2m16 0h2M15 13v2m-6-2v2',
  team: 'M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM22 21v-2a4 4 0 0 0-3-3.9M16 3.1a4 4 0 0 1 0 7.8',
  chart: 'M3 3v16a2 2 0 0 0 2 2h16M18 17V9m-5 8V5M8 17v-3',
  settings: 'M20 7h-9m3 10H5M17 20a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM7 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  check: 'M20 6 9 17l-5-5',
  plus: 'M5 12h14m-7-7v14',
  flag: 'M4 15s1-1 4-1 5 2 8 2 4-1 4-1V3s-1 1-4 1-5-2-8-2-4 1-4 1zM4 22v-7',
  upload: 'M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M17 8l-5-5-5 5m5-5v12',
  text: 'M4 7V5h16v2M12 5v14m-3 0h6',
  chain:
    'M10 13a5 5 0 0 0 7.5.5l3-3a5 5 0 0 0-7-7l-1.7 1.7M14 11a5 5 0 0 0-7.5-.5l-3 3a5 5 0 0 0 7 7l1.7-1.7',
  bold: 'M7 12h7a4 4 0 0 1 0 8H7V4h6a4 4 0 0 1 0 8',
  italic: 'M19 4h-9m4 16H5M15 4 9 20',
  list: 'M8 6h13M8 12h13M8 18h13M3 6h.01M3 12h.01M3 18h.01',
  code: 'm16 18 6-6-6-6M8 6l-6 6 6 6',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
