// The actions of a row behind one button: a popover, which the browser closes by a click elsewhere and by Escape.
import { useId, useRef } from 'preact/hooks';
import { Icon } from './Icon.tsx';

export interface MenuItem {
  label: string;
  /** The name for screen readers, with what it is about. */
  name: string;
  isDanger?: boolean;
  onChoose(): void;
}

interface Props {
  /** The name of the button, with what the actions are about. */
  label: string;
  items: readonly MenuItem[];
}

/** Pixels between the button and the menu. */
const gap = 4;

export function Menu({ label, items }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const choices = () => [...(menu.current?.querySelectorAll('button') ?? [])];
  /** Below the button, or above it where there is no space below; both end at the same side. */
  const place = () => {
    const { current } = menu;
    const from = button.current?.getBoundingClientRect();
    if (!current || !from) return;
    const { width, height } = current.getBoundingClientRect();
    const below = from.bottom + gap;
    const isBelow = below + height < innerHeight;
    const isRightToLeft = getComputedStyle(current).direction === 'rtl';
    const left = isRightToLeft ? from.left : from.right - width;
    current.style.left = `${Math.max(gap, Math.min(left, innerWidth - width - gap))}px`;
    current.style.top = `${isBelow ? below : Math.max(gap, from.top - gap - height)}px`;
  };
  const move = (step: number, from = choices().indexOf(document.activeElement as HTMLButtonElement)) => {
    const all = choices();
    all[(from + step + all.length) % all.length]?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="plain"
        aria-label={label}
        aria-haspopup="menu"
        popovertarget={id}
      >
        <Icon name="more" />
      </button>
      <div
        ref={menu}
        id={id}
        class="menu"
        role="menu"
        aria-label={label}
        popover="auto"
        onToggle={({ newState }) => {
          if (newState !== 'open') return;
          place();
          choices()[0]?.focus();
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(1);
          else if (event.key === 'ArrowUp') move(-1);
          else if (event.key === 'Home') move(0, 0);
          else if (event.key === 'End') move(-1, 0);
          // The focus leaves the menu, which is not at its place in the page.
          else if (event.key === 'Tab') return menu.current?.hidePopover();
          else return;
          event.preventDefault();
        }}
      >
        {items.map(({ label: text, name, isDanger = false, onChoose }) => (
          <button
            key={text}
            type="button"
            role="menuitem"
            tabIndex={-1}
            class={isDanger ? 'danger' : undefined}
            aria-label={name}
            onClick={() => {
              menu.current?.hidePopover();
              onChoose();
            }}
          >
            {text}
          </button>
        ))}
      </div>
    </>
  );
}
