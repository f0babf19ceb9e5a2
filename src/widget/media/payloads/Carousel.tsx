// Cards side by side, scrolled by touch, by the keyboard, or by two buttons.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CarouselPayload } from '../../../protocol/message.ts';
import { interpolate } from '../../i18n/current.ts';
import { Icon } from '../../icon.tsx';
import { strings } from '../strings.ts';
import { Card } from './Card.tsx';

interface Props {
  payload: CarouselPayload;
  onAnswer(label: string, value: string, action?: string): void;
}

export function Carousel({ payload: { items }, onAnswer }: Props) {
  const strip = useRef<HTMLUListElement>(null);
  const [isAtStart, setIsAtStart] = useState(true);
  const [isAtEnd, setIsAtEnd] = useState(items.length < 2);
  const look = () => {
    if (!strip.current) return;
    const { scrollLeft, scrollWidth, clientWidth } = strip.current;
    // In right-to-left text, scrollLeft decreases from 0.
    setIsAtStart(Math.abs(scrollLeft) < 2);
    setIsAtEnd(scrollWidth - clientWidth - Math.abs(scrollLeft) < 2);
  };
  useEffect(look);
  const move = (cards: 1 | -1) => {
    const { current } = strip;
    if (!current) return;
    const isRtl = getComputedStyle(current).direction === 'rtl';
    const width = current.firstElementChild?.getBoundingClientRect().width ?? current.clientWidth;
    // Smooth if the style sheet allows it (not with reduced motion).
    current.scrollBy({ left: cards * (isRtl ? -1 : 1) * (width + 8) });
  };
  // aria-disabled and not disabled, so that a button keeps the focus at the end of the list.
  const button = (cards: 1 | -1, label: string, isOff: boolean, path: string) => (
    <button
      type="button"
      class="button move"
      aria-label={label}
      aria-disabled={isOff}
      onClick={() => move(cards)}
    >
      <Icon path={path} />
    </button>
  );
  return (
    <section class="carousel" part="carousel" aria-label={strings.cards}>
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1) */}
      <ul ref={strip} role="list" tabIndex={0} aria-label={strings.cards} onScroll={look}>
        {items.map((card, i) => (
          <li
            aria-label={interpolate(strings.card, { number: i + 1, count: items.length })}
            // Chromium does not scroll to a focused element whose edge is in view.
            onFocusCapture={({ currentTarget }) =>
              currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })
            }
          >
            <Card payload={card} onAnswer={onAnswer} />
          </li>
        ))}
      </ul>
      {items.length > 1 && (
        <div class="moves">
          {button(-1, strings.previousCard, isAtStart, 'm15 18-6-6 6-6')}
          {button(1, strings.nextCard, isAtEnd, 'm9 18 6-6-6-6')}
        </div>
      )}
    </section>
  );
}
