// The home screen: shown before the visitor begins or continues a conversation, where the site has configured it.
import { Component } from 'preact';
import type { ViewProps } from '../../chat/view.ts';
import { Icon } from '../../icon.tsx';
import css from './home.css?inline';
import { icons } from './icons.ts';
import { Screen } from './Screen.tsx';
import { strings } from './strings.ts';

/** The screen or, in the conversation, the button that leads back to it. It is before the conversation in the window. */
export class Home extends Component<ViewProps> {
  override componentWillMount() {
    const { widget } = this.props;
    widget.adopt('home', css);
    // Without a user: the methods of the page begin the conversation.
    widget.onStarted();
  }

  #visitor = this.props.store.state.visitor;

  override componentDidUpdate() {
    const { store, widget } = this.props;
    const { visitor, history } = store.state;
    // Another visitor of this browser: also after a logout, nothing is created until this one begins. (The number changes
    // with a draft of the page or of another tab, too.)
    const isOther = visitor !== this.#visitor && history === 'unknown' && !widget.storage.read().draft;
    if (isOther) store.setView('home');
    this.#visitor = visitor;
  }

  override render(props: ViewProps) {
    const { view, configuration, visitor, history } = props.store.state;
    // Subscribes to what `componentDidUpdate` reads.
    void [visitor, history];
    if (!configuration.home) return null;
    return view === 'home' ? <Screen {...props} /> : <BackButton {...props} />;
  }
}

/** The button at the start of the header that leads back to the home screen. */
function BackButton({ store, widget }: ViewProps) {
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
