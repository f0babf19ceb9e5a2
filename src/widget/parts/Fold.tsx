// A button that shows and hides what follows it.
import type { ComponentChildren } from 'preact';
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
  children: ComponentChildren;
}

export function Fold({ isOpen, onToggle, part, label, mark, note, children }: Props) {
  return (
    <div class="fold" part={part}>
      <button type="button" class="fold-head" aria-expanded={isOpen} onClick={onToggle}>
        {mark}
        <bdi>{label}</bdi>
        {note}
        <Icon path={icons.open} />
      </button>
      {isOpen && children}
    </div>
  );
}
