// Suggested messages, shown until the visitor has written one.
import type { ViewProps } from '../chat/view.ts';
import { strings } from '../media/strings.ts';

export function Starters({ store, session, widget }: ViewProps) {
  const starters = (store.state.configuration.starters ?? []).filter((text) => text.trim());
  if (starters.length === 0) return null;
  return (
    <fieldset class="options starters" part="starters" aria-label={strings.starters}>
      {starters.map((text) => (
        <button
          key={text}
          type="button"
          class="option"
          part="starter"
          dir="auto"
          onClick={() => {
            // The buttons are removed; the focus must not move to the page.
            widget.frame.querySelector<HTMLElement>('.viewport')?.focus({ preventScroll: true });
            // A failed message stays in the transcript with its text.
            session.send({ type: 'text', text }).catch(() => {});
          }}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
