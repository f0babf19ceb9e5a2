// The home screen: shown before the visitor begins or continues a conversation, where the site has configured it.
import { Component } from 'preact';
import type { ViewProps } from '../../chat/view.ts';
import { BackButton } from './BackButton.tsx';
import css from './home.css?inline';
import { Screen } from './Screen.tsx';

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
