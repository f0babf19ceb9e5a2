// The form in which a visitor who waits for a person leaves an e-mail address, if the server sends mails about answers.
import { Component } from 'preact';
import { mayMoveFocus } from '../chat/components/focus.ts';
import type { ViewProps } from '../chat/view.ts';
import { interpolate } from '../i18n/current.ts';
import { contactProblem, type KnownContact, readContact, saveContact } from './contact-requests.ts';
import { strings } from './strings.ts';

/** Nothing is known of the address until the server has answered. */
interface FormState extends Partial<KnownContact> {
  isEdited?: boolean;
  isBusy?: boolean;
  problem?: string | undefined;
}

export class ContactForm extends Component<ViewProps, FormState> {
  readonly root = { current: null as HTMLFormElement | null };

  override componentDidMount() {
    // A server without the operation, or without mails, has no form.
    readContact(this.props.session.context).then(
      (contact) => this.setState(contact),
      () => {},
    );
  }

  override componentDidUpdate(_: ViewProps, { isEdited: wasEdited }: FormState) {
    if (this.state.isEdited && !wasEdited) this.#input?.focus();
  }

  get #input() {
    return this.root.current?.querySelector('input');
  }

  #submit() {
    const input = this.#input;
    if (input?.checkValidity()) void this.#save(input.value);
    else this.#refuse(strings.contactInvalid);
  }

  #refuse(problem: string) {
    this.setState({ isBusy: false, problem });
    this.props.session.context.announce(problem);
    if (mayMoveFocus(this.root.current)) this.#input?.focus();
  }

  /** @param email null removes the stored address */
  async #save(email: string | null) {
    const { context } = this.props.session;
    const signal = context.getSignal();
    this.setState({ isBusy: true, problem: undefined });
    try {
      const saved = await saveContact(context, email);
      this.setState({ isBusy: false, isEdited: false, email: saved });
      if (saved) context.announce(interpolate(strings.contactSaved, { email: saved }));
      if (mayMoveFocus(this.root.current)) this.root.current?.focus();
    } catch (error) {
      if (!signal.aborted) this.#refuse(contactProblem(context, error));
    }
  }

  override render(_: ViewProps, { isOffered, email, isEdited, isBusy = false, problem }: FormState) {
    if (!isOffered) return null;
    const button = (label: string, onClick: () => void) => (
      // A key: a button that became the one to submit while it is pressed would submit.
      <button key={label} type="button" class="option" disabled={isBusy} onClick={onClick}>
        {label}
      </button>
    );
    const isSaved = email && !isEdited;
    return (
      <form
        ref={this.root}
        class="mail-address"
        part="mail-address"
        tabIndex={-1}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && !isSaved) this.#submit();
        }}
      >
        {isSaved ? (
          <p>
            <bdi>{interpolate(strings.contactSaved, { email })}</bdi>
          </p>
        ) : (
          <label class="mail-question">
            <span>{strings.contactOffer}</span>
            <input
              type="email"
              dir="ltr"
              autocomplete="email"
              maxLength={254}
              required
              placeholder={strings.contactEmail}
              defaultValue={email ?? ''}
              aria-invalid={problem !== undefined}
              aria-describedby={problem && 'mail-address-problem'}
            />
          </label>
        )}
        {problem && (
          <p id="mail-address-problem" class="handling-problem">
            {problem}
          </p>
        )}
        <p class="mail-address-buttons">
          {isSaved ? (
            button(strings.contactChange, () => this.setState({ isEdited: true }))
          ) : (
            <button key="save" type="submit" class="option" part="mail-address-save" disabled={isBusy}>
              {strings.contactSave}
            </button>
          )}
          {isSaved && button(strings.contactRemove, () => void this.#save(null))}
        </p>
      </form>
    );
  }
}
