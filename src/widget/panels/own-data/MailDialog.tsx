// Asks for the e-mail address to which the conversation is sent, and says what was sent there: an address that is not confirmed
// gets a link.
import { Component } from 'preact';
import { getContact, mailTranscript, setContact } from '../../../client/operations/chat.ts';
import { interpolate, language } from '../../i18n/current.ts';
import type { DialogProps } from './modal-dialog.ts';
import { strings } from './strings.ts';

interface MailState {
  isBusy?: boolean;
  problem?: string | undefined;
  /** The confirmation in words. */
  result?: string;
}

export class MailDialog extends Component<DialogProps, MailState> {
  readonly input = { current: null as HTMLInputElement | null };
  readonly last = { current: null as HTMLButtonElement | null };

  override componentDidMount() {
    // A logout has closed the window, and the dialog ends.
    if (!this.props.store.state.isOpen) return;
    const { client, getSignal } = this.props.session.context;
    client
      .with({ getContact })
      .getContact({}, { signal: getSignal() })
      .then(
        ({ contact }) => {
          const input = this.input.current;
          if (input && !input.value && contact) input.value = contact.email;
        },
        // The visitor enters it again.
        () => {},
      );
  }

  override componentDidUpdate(_: DialogProps, { result: before }: MailState) {
    if (this.state.result && !before) this.last.current?.focus();
  }

  async #send() {
    const input = this.input.current;
    if (this.state.isBusy || !input) return;
    const { client, getConversationId, getSignal, announce } = this.props.session.context;
    if (!input.value.trim() || !input.checkValidity()) return this.#refuse(strings.mailInvalid);
    this.setState({ isBusy: true, problem: undefined });
    const signal = getSignal();
    const calls = client.with({ mailTranscript, setContact });
    try {
      const id = await getConversationId();
      await calls.setContact({ email: input.value, locale: language.locale }, { signal });
      const { email, sends } = await calls.mailTranscript({ id }, { signal });
      const result = interpolate(sends === 'link' ? strings.mailLink : strings.mailSent, { email });
      this.setState({ isBusy: false, result });
      announce(result);
    } catch (error) {
      this.#refuse(this.#problemOf(error));
    }
  }

  /** The page is told of errors that are not the visitor's. */
  #problemOf(error: unknown): string {
    const { code, type } = Object(error) as { code?: unknown; type?: unknown };
    if (type === 'InvalidPayload') return strings.mailInvalid;
    this.props.session.context.report(error);
    return code === 429 ? strings.mailTooMany : strings.mailFailed;
  }

  #refuse(problem: string) {
    this.setState({ isBusy: false, problem });
    this.props.session.context.announce(problem);
    this.input.current?.focus();
  }

  override render({ ModalDialog, ...props }: DialogProps, { isBusy = false, problem, result }: MailState) {
    const close = () => props.store.setView('');
    const button = (name: string, more: object) => (
      <button key={name} type="button" class="button" {...more}>
        {name}
      </button>
    );
    return (
      <ModalDialog {...props} title={strings.mailTranscript} text={result} opener="more" onClose={close}>
        {result ? (
          <div class="choices">{button(strings.closeDialog, { ref: this.last, onClick: close })}</div>
        ) : (
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void this.#send();
            }}
          >
            <label>
              {strings.mailAddress}
              <input
                ref={this.input}
                type="email"
                dir="ltr"
                autocomplete="email"
                maxLength={254}
                required
                aria-invalid={problem !== undefined}
                aria-describedby={problem && 'platform-mail-problem'}
              />
            </label>
            {problem && (
              <p id="platform-mail-problem" class="dialog-problem">
                {problem}
              </p>
            )}
            <div class="choices">
              {button(strings.cancel, { onClick: close })}
              {button(strings.sendAnswer, { type: 'submit', class: 'button go', 'aria-disabled': isBusy })}
            </div>
          </form>
        )}
      </ModalDialog>
    );
  }
}
