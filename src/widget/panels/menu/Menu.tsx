// The menu of the header: the size of the window, the list and the download of conversations, and the sound setting.
import type { ComponentType } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ViewProps } from '../../chat/view.ts';
import { Icon } from '../../icon.tsx';
import { loadOwnData, openOwnData } from './dialogs.tsx';
import { icons } from './icons.ts';
import { closeOnOutsidePress, openerOf } from './popover.ts';
import { strings } from './strings.ts';

/** The names of the strings that choose a size of the window. */
const sizeNames = { normal: 'normalSize', expanded: 'expand', docked: 'dock' } as const;

interface Props extends ViewProps {
  /** The items about who answers, if the server knows handoffs. */
  PersonItems?: ComponentType<ViewProps & { onClose(): void }> | undefined;
  onClose(): void;
}

export function Menu(props: Props) {
  const { store, session, widget, PersonItems, onClose } = props;
  const menu = useRef<HTMLDivElement>(null);
  const [isMuted, setIsMuted] = useState(widget.storage.read().isMuted === true);
  const [isBusy, setIsBusy] = useState(false);
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role]') ?? [])];
  // Before the next event: an Escape that follows at once must not reach the window.
  useLayoutEffect(() => {
    items()[0]?.focus();
    const end = closeOnOutsidePress(menu.current, onClose);
    return () => end.abort();
  }, []);
  const close = () => {
    openerOf(menu.current)?.focus();
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const at = all.indexOf(event.target as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      all.at(next % all.length)?.focus();
    } else if (event.key === 'Escape') {
      // Escape closes the menu, and not the window.
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'Tab') onClose();
  };
  return (
    <div ref={menu} class="menu" part="menu" role="menu" aria-label={strings.more} onKeyDown={onKeyDown}>
      {PersonItems && <PersonItems {...props} onClose={close} />}
      {(widget.sizing?.choices ?? []).map((size) => (
        <Item
          key={size}
          data-size={size}
          icon={icons[size]}
          text={strings[sizeNames[size]]}
          onClick={() => {
            widget.sizing?.choose(size);
            close();
          }}
        />
      ))}
      {store.state.configuration.conversationList && store.has('conversations') && (
        <Item
          icon={icons.conversations}
          text={strings.conversationList}
          onClick={() => {
            onClose();
            store.setView('list');
          }}
        />
      )}
      <Item
        icon={icons.download}
        text={isBusy ? strings.downloading : strings.download}
        aria-busy={isBusy}
        onClick={() => {
          if (isBusy) return;
          setIsBusy(true);
          void loadOwnData()
            .then((bundle) => bundle.downloadTranscript(session.context), session.context.report)
            // If this menu was closed meanwhile, another one may be open.
            .then(() => menu.current && close());
        }}
      />
      {typeof print === 'function' && (
        <Item
          icon={icons.print}
          text={strings.print}
          onClick={() => {
            close();
            void loadOwnData().then(
              (bundle) => bundle.printTranscript(session.context),
              session.context.report,
            );
          }}
        />
      )}
      {store.state.configuration.transcriptMail && store.has('transcriptMail') && (
        <Item
          icon={icons.email}
          text={strings.mailTranscript}
          onClick={() => {
            onClose();
            openOwnData(props, 'mail');
          }}
        />
      )}
      {store.state.configuration.soundEnabled && (
        <Item
          icon={isMuted ? icons.mute : icons.sound}
          text={isMuted ? strings.unmute : strings.mute}
          onClick={() => {
            const next = !isMuted;
            setIsMuted(next);
            widget.storage.write({ isMuted: next || undefined });
          }}
        />
      )}
      {store.state.configuration.deleteData && (
        <Item
          icon={icons.remove}
          text={strings.deleteData}
          data-danger
          onClick={() => {
            onClose();
            openOwnData(props, 'delete');
          }}
        />
      )}
    </div>
  );
}

interface ItemProps {
  icon: string;
  text: string;
  'data-size'?: string;
  'data-danger'?: boolean;
  'aria-busy'?: boolean;
  onClick(): void;
}

function Item({ icon, text, ...button }: ItemProps) {
  return (
    <button type="button" role="menuitem" {...button}>
      <Icon path={icon} />
      {text}
    </button>
  );
}
