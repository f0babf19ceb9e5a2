// Shows that the bot, the person who answers, or another participant is typing. A component of its own: the transcript does
// not render with it.
import { interpolate } from '../../i18n/current.ts';
import { strings } from '../strings.ts';
import type { ViewProps } from '../view.ts';
import { Avatar } from './Avatar.tsx';
import { typistOf } from './answerer.ts';

export function TypingRow({ store }: Pick<ViewProps, 'store'>) {
  const typist = typistOf(store.state);
  if (!typist) return null;
  const [name, pictureUrl] = typist;
  return (
    <div class="row typing" data-side="bot" data-first="true" data-last="true">
      <div class="line">
        <Avatar url={pictureUrl} name={name} />
        <div class="bubble" role="img" aria-label={interpolate(strings.typing, { name })}>
          <i />
          <i />
          <i />
        </div>
      </div>
    </div>
  );
}
