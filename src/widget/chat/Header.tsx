// The header: whom the visitor talks with, a fresh start, and the way out.
import { useState } from 'preact/hooks';
import { Icon } from '../icon.tsx';
import { Avatar } from './Avatar.tsx';
import { tools } from './chunks.ts';
import { icons } from './icons.ts';
import type { ViewProps } from './Panel.tsx';
import { words } from './words.ts';

export function Header(props: ViewProps) {
  const { store, shell } = props;
  const Menu = tools.module?.Menu;
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const { botName, botAvatar, botDescription } = store.state.configuration;
  return (
    <header class="header" part="header">
      <Avatar url={botAvatar} name={botName} />
      <div class="who">
        <h2 class="name" part="title">
          <bdi>{botName}</bdi>
        </h2>
        {botDescription && (
          <p class="description">
            <bdi>{botDescription}</bdi>
          </p>
        )}
      </div>
      <div class="menu-place">
        <button
          type="button"
          class="tool"
          part="more"
          aria-label={words.more}
          title={words.more}
          aria-haspopup="menu"
          aria-expanded={isMenuOpen}
          // Nothing of it is kept while the chunk is missing: a menu must not open later by itself.
          onClick={() => tools.ask(() => setIsMenuOpen(!isMenuOpen))}
        >
          <Icon path={icons.more} />
        </button>
        {Menu && isMenuOpen && (
          <Menu
            {...props}
            onClose={() => {
              setIsMenuOpen(false);
            }}
          />
        )}
      </div>
      <button
        type="button"
        class="tool"
        part="restart"
        aria-label={words.restart}
        title={words.restart}
        disabled={store.state.connection !== 'online'}
        onClick={() => tools.ask(() => store.setRestarting(true))}
      >
        <Icon path={icons.restart} />
      </button>
      <button
        type="button"
        class="tool"
        part="close"
        aria-label={words.close}
        title={words.close}
        onClick={shell.close}
      >
        <Icon path={icons.close} />
      </button>
    </header>
  );
}
