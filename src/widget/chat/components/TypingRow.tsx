// Shows that the bot, or the person who answers, is typing. A component of its own: the transcript does not render with it.
import { interpolate } from '../../i18n/current.ts';
import { strings } from '../strings.ts';
import type { ViewProps } from '../view.ts';
import { Avatar } from './Avatar.tsx';

export function TypingRow({ store }: Pick<ViewProps, 'store'>) {
  const { isTyping, configuration, handling } = store.state;
  if (!isTyping) return null;
  const { botName, botAvatar } = configuration;
  const person = handling?.person;
  const [name, pictureUrl] = person ? [person.name, person.pictureUrl] : [botName, botAvatar];
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
