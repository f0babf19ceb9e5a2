// The header: whom the visitor talks with, a fresh start, and the way out.
import { chatWords as words } from '../words.ts';
import { Avatar } from './Avatar.tsx';
import { Icon } from './icons.tsx';
import type { ViewProps } from './Panel.tsx';

export function Header({ store, shell }: ViewProps) {
  const { botName, botAvatar, botDescription } = store.configuration.value;
  return (
    <header class="header" part="header">
      <Avatar url={botAvatar} name={botName} />
      <div class="who">
        <h2 class="name" part="title" dir="auto">
          {botName}
        </h2>
        {botDescription && (
          <p class="description" dir="auto">
            {botDescription}
          </p>
        )}
      </div>
      <button
        type="button"
        class="tool"
        part="restart"
        aria-label={words.restart}
        title={words.restart}
        disabled={store.connection.value !== 'online'}
        onClick={() => store.setRestarting(true)}
      >
        <Icon name="restart" />
      </button>
      <button
        type="button"
        class="tool"
        part="close"
        aria-label={words.close}
        title={words.close}
        onClick={shell.close}
      >
        <Icon name="close" />
      </button>
    </header>
  );
}
