// A text box that offers colleagues after an at sign. The focus stays in the box: the arrow keys move in the list, Enter and Tab
// insert a name, Escape closes the list. Shift+Tab leads to the list, which may scroll and has the same keys. (ARIA 1.2: a text box with aria-activedescendant; A textarea cannot have the role `combobox`.)
import type { JSX, RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { counted, t } from '../../../ui/texts.ts';
import type { Colleague } from '../api/inbox-api.ts';
import { type Chosen, moveChosen, offeredFor, typedName } from './mentions.ts';

interface Props extends Omit<JSX.IntrinsicElements['textarea'], 'value' | 'onInput' | 'ref'> {
  box: RefObject<HTMLTextAreaElement | null>;
  text: string;
  /** Colleagues that can be mentioned; empty where nobody can. */
  colleagues: readonly Colleague[];
  /** The members that the user has chosen for the names in the text. */
  chosen: readonly Chosen[];
  onText(text: string, chosen: readonly Chosen[]): void;
}

export function MentionBox({ box, text, colleagues, chosen, onText, onKeyDown, ...rest }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [caret, setCaret] = useState(-1);
  const [index, setIndex] = useState(0);
  /** The at sign whose list was closed. */
  const [closed, setClosed] = useState(-1);
  const typed = caret < 0 || colleagues.length === 0 ? undefined : typedName(text, caret);
  const offered = typed && typed.from !== closed ? offeredFor(typed.query, colleagues) : [];
  const isOpen = offered.length > 0;
  const active = offered[Math.min(index, offered.length - 1)];
  const optionId = ({ memberId }: Colleague) => `${id}-${memberId}`;

  // With more of them than fit, the keys scroll.
  useEffect(() => {
    if (active) document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const follow = ({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => {
    const isSelection = currentTarget.selectionStart !== currentTarget.selectionEnd;
    setCaret(isSelection ? -1 : currentTarget.selectionEnd);
  };
  const insert = ({ name, memberId }: Colleague) => {
    if (!typed) return;
    const before = `${text.slice(0, typed.from)}@${name} `;
    const next = before + text.slice(caret).replace(/^ /, '');
    // The same name can stand there for another member.
    const others = chosen.filter(({ from }) => from !== typed.from);
    const inserted = { from: typed.from, to: before.length - 1, memberId };
    // At once: what is typed next must find the text and the caret.
    if (box.current) box.current.value = next;
    box.current?.focus();
    box.current?.setSelectionRange(before.length, before.length);
    onText(next, [...moveChosen(others, text, next, before.length), inserted]);
    setCaret(-1);
    setIndex(0);
  };
  const handleKey = (event: KeyboardEvent): boolean => {
    if (!isOpen || !active || event.ctrlKey || event.metaKey || event.altKey) return false;
    const move = { ArrowDown: 1, ArrowUp: offered.length - 1 }[event.key];
    if (move !== undefined) setIndex((offered.indexOf(active) + move) % offered.length);
    else if (event.key === 'Escape') {
      box.current?.focus();
      setClosed(typed?.from ?? -1);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) insert(active);
    else return false;
    event.preventDefault();
    // Otherwise Escape would leave the composer.
    event.stopPropagation();
    return true;
  };

  return (
    <div class="mention-box">
      {isOpen && (
        <div
          id={`${id}-list`}
          ref={list}
          class="mention-list"
          role="listbox"
          aria-label={t('Colleagues')}
          aria-activedescendant={active && optionId(active)}
          tabIndex={0}
          onKeyDown={handleKey}
          onBlur={({ relatedTarget }) => {
            if (relatedTarget !== box.current) setCaret(-1);
          }}
        >
          {offered.map((colleague) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box, which keeps the focus
            // biome-ignore lint/a11y/useFocusableInteractive: the same
            <div
              key={colleague.memberId}
              id={optionId(colleague)}
              role="option"
              aria-selected={colleague === active}
              dir="auto"
              // The box keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => insert(colleague)}
            >
              <bdi>{colleague.name}</bdi>
              {colleague.email && <bdi class="hint">{colleague.email}</bdi>}
            </div>
          ))}
        </div>
      )}
      <textarea
        {...rest}
        ref={box}
        value={text}
        aria-autocomplete={colleagues.length > 0 ? 'list' : undefined}
        aria-haspopup={colleagues.length > 0 ? 'listbox' : undefined}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={active && optionId(active)}
        onInput={(event) => {
          const { value, selectionEnd } = event.currentTarget;
          onText(value, moveChosen(chosen, text, value, selectionEnd));
          follow(event);
          setIndex(0);
          if (!event.currentTarget.value.includes('@')) setClosed(-1);
        }}
        onKeyUp={follow}
        onClick={follow}
        onBlur={({ relatedTarget }) => {
          if (relatedTarget === null || relatedTarget !== list.current) setCaret(-1);
        }}
        onKeyDown={(event) => {
          // 229: Safari ends an IME composition before the keydown of its Enter or Escape.
          if (event.isComposing || event.keyCode === 229) return;
          if (!handleKey(event)) onKeyDown?.(event);
        }}
      />
      <p class="visually-hidden" role="status">
        {isOpen &&
          counted(
            offered.length,
            '{count} colleague. Arrow keys choose, Enter inserts.',
            '{count} colleagues. Arrow keys choose, Enter inserts.',
          )}
      </p>
    </div>
  );
}
