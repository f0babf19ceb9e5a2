// An app of the bot in its frame, and below it what the app asks. Until the app has started, and if it does not, the text of the bot
// is shown.
import { Component, type ComponentChild } from 'preact';
import en from '../../../locales/en.json' with { type: 'json' };
import type { AppData } from '../../../protocol/apps.ts';
import { sandboxPath } from '../../../protocol/sandbox-path.ts';
import type { ViewProps } from '../../chat/view.ts';
import { addStrings, language } from '../../i18n/current.ts';
import css from './app.css?inline';
import { type AppHost, createAppHost } from './host.ts';
import { keepFocus } from './keep-focus.ts';

const strings = addStrings(en.widget.app);

interface Props extends ViewProps {
  /** The sandbox origin. */
  origin: string;
  data: AppData;
  /** The text in place of the app. */
  name: string;
  /** The text of the bot. */
  children: ComponentChild;
}

interface State {
  /** In pixels; 0 before the app has started. */
  height: number;
  hasFailed: boolean;
  /** The address that the app wants to open. */
  link?: { url: URL; settle(isOpened: boolean): void } | undefined;
}

/** Milliseconds in which an app has to start. */
const startTimeMs = 20_000;
/** Pixels. */
const [firstHeight, leastHeight] = [120, 40];
/** The share of the window that an app can have. */
const maxShare = 0.6;

const styled = new WeakSet<object>();

export class AppView extends Component<Props, State> {
  override state: State = { height: 0, hasFailed: false };
  readonly #frame = { current: null as HTMLIFrameElement | null };
  readonly #end = { current: null as HTMLElement | null };
  readonly #removed = new AbortController();
  #host: AppHost | undefined;

  override componentDidMount() {
    const { data, origin, widget, session } = this.props;
    const { signal } = this.#removed;
    if (!styled.has(widget)) widget.adopt('app', css);
    styled.add(widget);
    const host = createAppHost(
      data,
      origin,
      () => this.#frame.current?.contentWindow,
      () => ({
        ...this.#theme(),
        locale: language.locale,
        platform: 'web',
        displayMode: 'inline',
        availableDisplayModes: ['inline'],
        containerDimensions: { width: this.#frame.current?.clientWidth, maxHeight: this.#maxHeight() },
      }),
      {
        onStart: () => this.setState({ height: firstHeight }),
        onHeight: (height) => {
          if (this.state.height && height >= 0)
            this.setState({ height: Math.max(leastHeight, Math.min(height, this.#maxHeight())) });
        },
        onLink: (url) =>
          new Promise((resolve) => {
            // One at a time.
            if (this.state.link) return resolve(false);
            const settle = (isOpened: boolean) => {
              resolve(isOpened);
              this.setState({ link: undefined });
            };
            this.setState({ link: { url, settle } });
            session.context.announce(`${strings.appAddress} ${url.host}`);
          }),
        onActivation: (isActive) => focus.decide(isActive),
        onDraft: async (text) => {
          const isThere = await session.methods.prefill(text);
          if (isThere) session.context.announce(strings.appDraft);
          return isThere;
        },
      },
    );
    this.#host = host;
    const focus = keepFocus(widget.box.getRootNode() as ShadowRoot, () => this.#frame.current, signal, {
      ask: host.askActivation,
      onLimit: () => this.setState({ hasFailed: true }),
    });
    addEventListener('message', host.receive, { signal });
    const observer = new MutationObserver(() => host.changeContext(this.#theme()));
    observer.observe(widget.box, { attributeFilter: ['data-theme'] });
    // An app that was removed meanwhile has a height, and stays removed.
    const timer = setTimeout(
      () => this.setState(({ height, hasFailed }) => ({ hasFailed: hasFailed || !height })),
      startTimeMs,
    );
    signal.addEventListener('abort', () => {
      observer.disconnect();
      clearTimeout(timer);
    });
    this.forceUpdate();
  }

  override componentDidUpdate({ data: { result } }: Props) {
    const { data } = this.props;
    if (JSON.stringify(data.result) !== JSON.stringify(result)) this.#host?.changeResult(data.result);
  }

  override componentWillUnmount() {
    this.#removed.abort();
  }

  #theme() {
    return { theme: this.props.widget.box.dataset.theme };
  }

  #maxHeight() {
    return Math.round(this.props.widget.frame.clientHeight * maxShare);
  }

  override render({ data, origin, name, children }: Props, { height, hasFailed, link }: State) {
    if (hasFailed) return children;
    const policy = encodeURIComponent(JSON.stringify(Object(data.csp)));

    return (
      <div class="app" part="app" data-card={!!height}>
        {!height && children}
        {!!height && (
          <button type="button" class="app-skip option" onClick={() => this.#end.current?.focus()}>
            {strings.skipApp}
          </button>
        )}
        {this.#host && (
          <iframe
            key="frame"
            ref={this.#frame}
            title={data.title || name}
            src={`${origin}${sandboxPath}?policy=${policy}`}
            sandbox="allow-scripts allow-same-origin allow-forms"
            style={{ height: `${height}px` }}
            data-hidden={!height}
          />
        )}
        {link && (
          <fieldset class="app-ask" aria-label={strings.appAddress}>
            <p>{strings.appAddress}</p>
            <p dir="ltr">{link.url.href}</p>
            <div>
              <a
                class="option"
                href={link.url.href}
                target="_blank"
                rel="noopener noreferrer nofollow"
                onClick={() => link.settle(true)}
              >
                {strings.openAddress}
              </a>
              <button type="button" class="option" onClick={() => link.settle(false)}>
                {strings.notOpened}
              </button>
            </div>
          </fieldset>
        )}
        <span ref={this.#end} tabIndex={-1} />
      </div>
    );
  }
}
