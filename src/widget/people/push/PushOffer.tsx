// The button with which a visitor who waits for a person switches on notifications about answers, and off again.
import { Component } from 'preact';
import { getPush, setPush } from '../../../client/operations/chat.ts';
import en from '../../../locales/en.json' with { type: 'json' };
import type { PushEnded } from '../../../protocol/push.ts';
import type { ViewProps } from '../../chat/view.ts';
import { addStrings, language } from '../../i18n/current.ts';
import { findSubscription, subscribe } from './subscription.ts';

/** Includes the strings of the people bundle: one object contains the strings of all bundles. */
const strings = addStrings(en.widget.push) as typeof en.widget.push & typeof en.widget.people;

/** The longest address of a page that the server stores. */
const maxUrlLength = 2_000;

interface OfferState {
  /** The key of the server, if it sends pushes and the browser does not block them. */
  publicKey?: string | undefined;
  isOn?: boolean;
  isBusy?: boolean;
  problem?: string | undefined;
}

export class PushOffer extends Component<ViewProps, OfferState> {
  override componentDidMount() {
    // The browser remembers a refusal. Without a problem that has to be told, nothing is shown.
    if (Notification.permission !== 'denied') this.#read().catch(() => {});
  }

  get #path() {
    return this.props.store.state.configuration.pushWorker ?? '';
  }

  async #read() {
    const { client, getSignal } = this.props.session.context;
    const { isOffered, publicKey } = await client.with({ getPush }).getPush({}, { signal: getSignal() });
    if (!isOffered || publicKey === undefined) return;
    const subscription = await findSubscription(this.#path, publicKey);
    // Again: the visitor may be another one, or have opened another page.
    if (subscription && Notification.permission === 'granted') await this.#store(subscription);
    this.setState({ publicKey, isOn: subscription !== undefined });
  }

  async #store(subscription: PushSubscription) {
    const { client, getSignal } = this.props.session.context;
    const { endpoint, keys, expirationTime = null } = subscription.toJSON();
    const pageUrl = location.href.replace(/#.*/, '');
    await client.with({ setPush }).setPush(
      {
        endpoint: endpoint ?? '',
        keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
        expirationTime,
        locale: language.locale,
        ...(pageUrl.length <= maxUrlLength && { pageUrl }),
      },
      { signal: getSignal() },
    );
    // Now the pushes are those of the present visitor.
    await caches.delete('platform-webchat push ended' satisfies PushEnded).catch(() => {});
  }

  async #switch(publicKey: string) {
    const { client, getSignal, announce, report } = this.props.session.context;
    const signal = getSignal();
    const { isOn: wasOn = false } = this.state;
    this.setState({ isBusy: true, problem: undefined });
    let problem: string | undefined;
    try {
      if (wasOn) {
        const subscription = await findSubscription(this.#path, publicKey);
        if (subscription) {
          await client.with({ setPush }).setPush({ endpoint: subscription.endpoint, keys: null }, { signal });
          await subscription.unsubscribe();
        }
      } else if ((await Notification.requestPermission()) === 'granted') {
        // Another visitor, who has not pressed, may be here now.
        signal.throwIfAborted();
        const subscription = await subscribe(this.#path, publicKey);
        if (signal.aborted) await subscription.unsubscribe();
        signal.throwIfAborted();
        await this.#store(subscription);
      } else problem = strings.pushBlocked;
    } catch (error) {
      if (signal.aborted) return;
      report(error);
      problem = strings.notPossible;
    }
    const isOn = problem === undefined ? !wasOn : wasOn;
    this.setState({ isBusy: false, problem, isOn });
    const announcement = problem ?? (isOn && strings.pushOn);
    if (announcement) announce(announcement);
  }

  override render(_: ViewProps, { publicKey, isOn = false, isBusy = false, problem }: OfferState) {
    if (publicKey === undefined) return null;
    return (
      <div class="mail-address" part="push-offer">
        {isOn && <p>{strings.pushOn}</p>}
        {problem && <p class="handling-problem">{problem}</p>}
        <button
          type="button"
          class="option"
          aria-disabled={isBusy}
          onClick={() => !isBusy && void this.#switch(publicKey)}
        >
          {isOn ? strings.pushOff : strings.pushOffer}
        </button>
      </div>
    );
  }
}
