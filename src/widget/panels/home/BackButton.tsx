// The button at the start of the header that leads back to the home screen.
import type { ViewProps } from '../../chat/view.ts';
import { Icon } from '../../icon.tsx';
import { icons } from './icons.ts';
import { strings } from './strings.ts';

export function BackButton({ store, widget }: ViewProps) {
  return (
    <button
      type="button"
      class="tool back"
      part="home-button"
      aria-label={strings.home}
      title={strings.home}
      onClick={() => {
        store.setView('home');
        // After the screen was rendered: the button is inert now.
        void Promise.resolve().then(() =>
          widget.frame.querySelector<HTMLElement>('.greeting-title')?.focus(),
        );
      }}
    >
      <Icon path={icons.back} />
    </button>
  );
}
