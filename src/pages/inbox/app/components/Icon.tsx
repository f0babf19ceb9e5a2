// The icons of the inbox, from Lucide (ISC), each one path in a 24 by 24 box. Decorative: what they are on has a name.
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
} as const;

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
