// The header: the bot, the menus, and the buttons to restart the conversation and to close the window.
import { Component } from 'preact';
import { Icon } from '../../icon.tsx';
import { extras, people } from '../bundles.ts';
import { strings } from '../strings.ts';
import type { ViewProps } from '../view.ts';
import { Avatar } from './Avatar.tsx';
import { answererOf } from './answerer.ts';
import { icons } from './icons.ts';

type MenuName = 'more' | 'contact';

export class Header extends Component<ViewProps, { openMenu?: MenuName | undefined }> {
  override render(props: ViewProps, { openMenu }: { openMenu?: MenuName | undefined }) {
    const { store, widget } = props;
    const { Menu, ContactCard } = extras.module ?? {};
    const setOpenMenu = (next?: MenuName) => this.setState({ openMenu: next });
    const [name, pictureUrl, description] = answererOf(store.state);
    const { phone, email, website, termsOfService, privacyPolicy } = store.state.configuration;
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
          // If the bundle cannot be loaded, the request is dropped: a menu must not open later by itself.
          () => extras.load(() => setOpenMenu(openMenu === name ? undefined : name)),
          { 'aria-haspopup': name === 'more' && 'menu', 'aria-expanded': openMenu === name },
        )}
        {Content && openMenu === name && (
          <Content {...props} PersonItems={people.module?.PersonItems} onClose={() => setOpenMenu()} />
        )}
      </div>
    );
    return (
      <div class="header" part="header">
        <Avatar url={pictureUrl} name={name} isPerson={!!store.state.handling?.person} />
        <div class="who">
          {/* Its own direction: what is cut off is its end. */}
          <h2 class="name" part="title" dir="auto">
            {name}
          </h2>
          {description && (
            <p class="description" dir="auto">
              {description}
            </p>
          )}
        </div>
        {(phone ?? email ?? website ?? termsOfService ?? privacyPolicy) &&
          menu('contact', strings.contactCard, ContactCard)}
        {menu('more', strings.more, Menu)}
        {tool('restart', strings.restart, () => extras.load(() => store.setView('restart')), {
          disabled: store.state.connection !== 'online',
        })}
        {tool('close', strings.close, widget.close)}
      </div>
    );
  }
}
