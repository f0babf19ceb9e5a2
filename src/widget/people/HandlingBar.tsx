// The bar above the composer: while the visitor waits for a person the place in the queue and the way back to the bot, or when a
// person answers again; after the end the question how helpful the person was.
import { Component } from 'preact';
import { mayMoveFocus, moveFocus } from '../chat/components/focus.ts';
import type { ShownHandling } from '../chat/store/state.ts';
import type { ViewProps } from '../chat/view.ts';
import { interpolate, language } from '../i18n/current.ts';
import { ContactForm } from './ContactForm.tsx';
import { MessageForm } from './MessageForm.tsx';
import { PushOffer } from './push/PushOffer.tsx';
import { RatingForm } from './rating/RatingForm.tsx';
import { sendHandlingRequest } from './requests.ts';
import { strings } from './strings.ts';

/** Milliseconds between two announcements of the place in the queue. */
const announcementMs = 60_000;
const dayMs = 24 * 60 * 60_000;

interface BarState {
  isBusy?: boolean;
  hasFailed?: boolean;
}

export class HandlingBar extends Component<ViewProps, BarState> {
  readonly root = { current: null as HTMLDivElement | null };
  #announced: string | undefined;
  #announcedAt = 0;

  override componentDidMount() {
    this.componentDidUpdate();
  }

  override componentDidUpdate() {
    const { handling } = this.props.store.state;
    const text = textOf(handling);
    if (!text) {
      this.#announced = undefined;
      return;
    }
    const isSoon = this.#announced !== undefined && Date.now() - this.#announcedAt < announcementMs;
    if (text === this.#announced || isSoon) return;
    this.#announced = text;
    this.#announcedAt = Date.now();
    this.props.session.context.announce(text);
  }

  async #cancel() {
    const { session, widget } = this.props;
    const { root } = this;
    const pressed = root.current?.querySelector<HTMLElement>(':focus');
    this.setState({ isBusy: true, hasFailed: false });
    const isDone = await sendHandlingRequest(session.context, 'cancel');
    const mayMove = mayMoveFocus(root.current);
    this.setState({ isBusy: false, hasFailed: !isDone }, () => {
      if (mayMove && !isDone) pressed?.focus();
    });
    // The button is removed.
    if (mayMove && isDone) moveFocus(widget.frame);
  }

  override render(props: ViewProps, state: BarState) {
    const { rating } = props.store.state.handling ?? {};
    if (!rating) return this.#renderQueue(props, state);
    return <RatingForm key={rating.handoffId} {...props} rating={rating} />;
  }

  /** Only where a site has switched it on, and in browsers that can. */
  #renderPush(props: ViewProps) {
    if (!props.store.state.configuration.pushWorker || !('PushManager' in window)) return null;
    return <PushOffer {...props} />;
  }

  #renderQueue(props: ViewProps, { isBusy = false, hasFailed = false }: BarState) {
    const { handling } = props.store.state;
    const text = textOf(handling);
    if (!text) return null;
    return (
      <div ref={this.root} class="handling" part="handling">
        <p>
          {text}
          {hasFailed && <span class="handling-problem">{strings.notPossible}</span>}
        </p>
        {handling?.state === 'waiting' && (
          <button
            type="button"
            class="option"
            part="back-to-bot"
            disabled={isBusy}
            onClick={() => void this.#cancel()}
          >
            {strings.backToBot}
          </button>
        )}
        {handling?.refused ? (
          <MessageForm {...props} refused={handling.refused} />
        ) : (
          <ContactForm {...props} />
        )}
        {this.#renderPush(props)}
      </div>
    );
  }
}

/** The reason for waiting, as one sentence or two, or when a person answers again; undefined if nothing is to be said. */
function textOf(handling: ShownHandling | undefined): string | undefined {
  const again = handling?.opensAt && answersAgain(handling.opensAt);
  if (handling?.state === 'assigned') return undefined;
  // No hours are known, or they have begun while the visitor writes a message.
  if (handling?.state !== 'waiting') return again || (handling?.refused && strings.nobodyAnswers);
  const position = handling.queue?.position ?? 0;
  const text = position ? interpolate(strings.waitingBehind, { count: position }) : strings.waitingForPerson;
  return again ? `${text}. ${again}` : text;
}

/** In the time zone of the visitor, which is named. */
function answersAgain(opensAt: string): string | undefined {
  const at = new Date(opensAt);
  // The hours have begun.
  if (at.getTime() <= Date.now()) return undefined;
  const format = new Intl.DateTimeFormat(language.locale, {
    weekday: 'long',
    // Without the day, a weekday is one of the next six.
    ...(at.getTime() - Date.now() > 6 * dayMs && { day: 'numeric', month: 'long' }),
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return interpolate(strings.answersAgain, { time: format.format(at) });
}
