// A line, and what is shown below it after a click on it.
import type { ComponentChild, ComponentChildren } from 'preact';
import { Icon } from '../icon.tsx';
import { icons } from './icons.ts';

export interface FoldState {
  isOpen: boolean;
  onToggle(): void;
}

interface Props extends FoldState {
  part: string;
  label: string;
  /** Before the label. */
  mark?: ComponentChildren;
  /** After the label. */
  note?: ComponentChildren;
  /** Draws what is below it. Without it the line is not a button. */
  children: (() => ComponentChild) | undefined;
}

export function Fold({ isOpen, onToggle, part, label, mark, note, children }: Props) {
  const line = (
    <>
      {mark}
      <bdi>{label}</bdi>
      {note}
    </>
  );
  return (
    <div class="fold" part={part}>
      {children ? (
        <button type="button" class="fold-head" aria-expanded={isOpen} onClick={onToggle}>
          {line}
          <Icon path={icons.open} />
        </button>
      ) : (
        <p class="fold-head">{line}</p>
      )}
      {isOpen && children?.()}
    </div>
  );
}
