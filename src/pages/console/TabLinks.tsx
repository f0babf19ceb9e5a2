// The tabs of a screen: links to its parts.
import { useEffect, useRef } from 'preact/hooks';
import { Link, type Target } from './Link.tsx';
import './style/tab-links.css';

interface TabsProps {
  label: string;
  tabs: readonly { name: string; to: Target; isCurrent: boolean }[];
}

/** Links to the parts of a screen. */
export function TabLinks({ label, tabs }: TabsProps) {
  const nav = useRef<HTMLElement>(null);
  const current = tabs.find(({ isCurrent }) => isCurrent)?.name;
  // On a phone, they are wider than the screen.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [current]);
  return (
    <nav class="tab-links" aria-label={label} ref={nav}>
      {tabs.map(({ name, to, isCurrent }) => (
        <Link key={name} to={to} aria-current={isCurrent ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
