// The header: whom the visitor talks with, a fresh start, and the way out.
import { Component } from 'preact';
import { Icon } from '../../icon.tsx';
import { tools } from '../bundles.ts';
import { words } from '../strings.ts';
import { Avatar } from './Avatar.tsx';
import { icons } from './icons.ts';
import type { ViewProps } from './Panel.tsx';

type MenuName = 'more' | 'contact';

export class Header extends Component<ViewProps, { openMenu?: MenuName | undefined }> {
  override render(props: ViewProps, { openMenu }: { openMenu?: MenuName | undefined }) {
    const { store, shell } = props;
    const { Menu, Contact } = tools.module ?? {};
    const setOpenMenu = (next?: MenuName) => this.setState({ openMenu: next });
    const { botName, botAvatar, botDescription, ...settings } = store.state.configuration;
    const { phone, email, website, termsOfService, privacyPolicy } = settings;
    const tool = (name: string, label: string, onClick: () => void, more?: object) => (
      <button
        type="button"
        class="tool"
        part={name}
        aria-label={label}
        title={label}
        onClick={onClick}
        {...more}
      >
        <Icon path={icons[name as keyof typeof icons]} />
      </button>
    );
    const menu = (name: MenuName, label: string, Content?: typeof Menu) => (
      <div class="menu-place">
        {tool(
          name,
          label,
          // Nothing of it is kept while the chunk is missing: a menu must not open later by itself.
          () => tools.ask(() => setOpenMenu(openMenu === name ? undefined : name)),
          { 'aria-haspopup': name === 'more' && 'menu', 'aria-expanded': openMenu === name },
        )}
        {Content && openMenu === name && <Content {...props} onClose={() => setOpenMenu()} />}
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
            <p class="description" dir="auto">
              {botDescription}
            </p>
          )}
        </div>
        {(phone ?? email ?? website ?? termsOfService ?? privacyPolicy) &&
          menu('contact', words.contactCard, Contact)}
        {menu('more', words.more, Menu)}
        {tool('restart', words.restart, () => tools.ask(() => store.setRestarting(true)), {
          disabled: store.state.connection !== 'online',
        })}
        {tool('close', words.close, shell.close)}
      </header>
    );
  }
}
