// Draws an icon of Lucide (ISC): one path in a 24 by 24 box. Decorative: the buttons have names.
export function Icon({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
