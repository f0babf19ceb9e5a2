// The list of emoji in the composer: search, groups, and a grid for the arrow keys.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import en from '../../../locales/en.json' with { type: 'json' };
import { addStrings } from '../../i18n/current.ts';
import type { ComposerToolProps } from '../composer/tool-props.ts';
import { EmojiGrid } from './EmojiGrid.tsx';
import { type Emoji, emojiOf, findEmoji, type Group, groups, maxRecent, searchEmoji } from './emoji.ts';
import { columns, indexAfter } from './grid-keys.ts';

const strings = addStrings(en.widget.emoji);

const maxFound = 48;

interface Props extends ComposerToolProps {
  /** Closes the list. The focus has moved before. */
  onClose(): void;
}

export function EmojiPicker({ box, widget, session, onClose }: Props) {
  const picker = useRef<HTMLDivElement>(null);
  // As it was when the list opened: otherwise the emoji would move with each choice.
  const [recent] = useState(() => findEmoji(widget.storage.read().emoji));
  /** undefined: the results of the search. Fewer recent ones than a row are not worth the place of all others. */
  const [group, setGroup] = useState<Group | 'recentEmoji' | undefined>(
    recent.length < columns ? 'people' : 'recentEmoji',
  );
  const [query, setQuery] = useState('');
  const isTouch = matchMedia('(pointer: coarse)').matches;

  const tabs = [...(recent.length > 0 ? [['recentEmoji', '🕒'] as const] : []), ...groups];
  const matches = useMemo(() => searchEmoji(query, maxFound), [query]);
  const shown = group === 'recentEmoji' ? recent : group ? emojiOf(group) : matches;
  const title = group ? strings[group] : strings.searchEmoji;
  const show = (next: typeof group, text = '') => {
    setGroup(next);
    setQuery(text);
  };
  const focusGrid = () => picker.current?.querySelector<HTMLElement>('[role="grid"] [tabindex="0"]')?.focus();

  useLayoutEffect(() => {
    // The focus in a text field would open the on-screen keyboard.
    if (isTouch) focusGrid();
    else picker.current?.querySelector('input')?.focus();
  }, []);
  useLayoutEffect(() => {
    const { form } = box.current ?? {};
    if (!form) return;
    // In a low window, the list needs the whole panel.
    form.dataset.picker = '';
    return () => {
      delete form.dataset.picker;
    };
  }, []);

  /** @param isMore whether the list stays open. */
  const choose = ({ char }: Emoji, isMore: boolean) => {
    const { current: text } = box;
    if (!text || text.readOnly) return;
    text.setRangeText(char, text.selectionStart, text.selectionEnd, 'end');
    text.dispatchEvent(new InputEvent('input', { bubbles: true }));
    const chars = findEmoji(widget.storage.read().emoji).map((emoji) => emoji.char);
    const next = [char, ...chars.filter((other) => other !== char)];
    widget.storage.write({ emoji: next.slice(0, maxRecent) });
    if (isMore || isTouch) {
      // The focus stays here. Screen readers know its name in their language.
      session.context.announce(char);
    } else {
      text.focus();
      onClose();
    }
  };

  return (
    <div ref={picker} class="picker" part="emoji-picker">
      <input
        type="search"
        class="picker-search"
        autocomplete="off"
        enterkeyhint="search"
        aria-label={strings.searchEmoji}
        placeholder={strings.searchEmoji}
        value={query}
        onInput={({ currentTarget: { value } }) => show(value.trim() ? undefined : 'people', value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            focusGrid();
          }
          // The field is part of the form, which Enter would submit. 229: Safari ends an IME composition before.
          if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return;
          event.preventDefault();
          const [first] = shown;
          if (first && !group) choose(first, event.shiftKey);
        }}
      />
      <div
        class="picker-tabs"
        role="tablist"
        onKeyDown={(event) => {
          const from = tabs.findIndex(([tab]) => tab === (event.target as HTMLElement).dataset.group);
          const next = indexAfter(event, from, tabs.length, tabs.length);
          if (next === undefined) return;
          show(tabs[next]?.[0]);
          (event.currentTarget.children[next] as HTMLElement | undefined)?.focus();
        }}
      >
        {tabs.map(([tab, char], index) => (
          <button
            key={tab}
            type="button"
            role="tab"
            data-group={tab}
            tabIndex={tab === group || (!group && index === 0) ? 0 : -1}
            aria-selected={tab === group}
            aria-controls="platform-emoji"
            aria-label={strings[tab]}
            title={strings[tab]}
            onClick={() => show(tab)}
          >
            {char}
          </button>
        ))}
      </div>
      <div key={group ?? query} id="platform-emoji" class="picker-emoji" role="tabpanel" aria-label={title}>
        {shown.length > 0 ? (
          <EmojiGrid title={title} shown={shown} onChoose={choose} />
        ) : (
          <p role="status">{strings.noEmoji}</p>
        )}
      </div>
    </div>
  );
}
