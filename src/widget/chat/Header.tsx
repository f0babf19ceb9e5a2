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
  const { Menu, Contact } = tools.module ?? {};
  const [openMenu, setOpenMenu] = useState<'more' | 'contact'>();
  const settings = store.state.configuration;
  const { botName, botAvatar, botDescription } = settings;
  const { phone, email, website, termsOfService, privacyPolicy } = settings;
  const menu = (name: 'more' | 'contact', label: string, Content?: typeof Menu) => (
    <div class="menu-place">
      <button
        type="button"
        class="tool"
        part={name}
        aria-label={label}
        title={label}
        aria-haspopup={name === 'more' ? 'menu' : undefined}
        aria-expanded={openMenu === name}
        // Nothing of it is kept while the chunk is missing: a menu must not open later by itself.
        onClick={() => tools.ask(() => setOpenMenu(openMenu === name ? undefined : name))}
      >
        <Icon path={icons[name]} />
      </button>
      {Content && openMenu === name && <Content {...props} onClose={() => setOpenMenu(undefined)} />}
    </div>
  );
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
      {(phone ?? email ?? website ?? termsOfService ?? privacyPolicy) &&
        menu('contact', words.contactCard, Contact)}
      {menu('more', words.more, Menu)}
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
