// The form in which a visitor who asked for a person outside of the opening hours leaves a message and an e-mail address. Shown
// if the server sends mails about answers.
import { Component } from 'preact';
import { mayMoveFocus, moveFocus } from '../chat/components/focus.ts';
import type { RefusedRequest } from '../chat/store/state.ts';
import type { ViewProps } from '../chat/view.ts';
import { contactProblem, type KnownContact, readContact, saveContact } from './contact-requests.ts';
import { sendHandlingRequest } from './requests.ts';
import { strings } from './strings.ts';

type Props = ViewProps & { refused: RefusedRequest };
type Field = 'text' | 'email';

interface FormState extends Partial<KnownContact> {
  isOpen?: boolean;
  isBusy?: boolean;
  problem?: { text: string; of?: Field } | undefined;
}

/** Characters of a message. */
const textLength = 4_000;
const problemId = 'left-message-problem';

export class MessageForm extends Component<Props, FormState> {
  readonly root = { current: null as HTMLFormElement | null };

  override componentDidMount() {
    readContact(this.props.session.context).then(
      (contact) => this.setState(contact),
      () => {},
    );
  }

  override componentDidUpdate(_: Props, { isOpen: wasOpen = false }: FormState) {
    const { isOpen = false } = this.state;
    if (isOpen === wasOpen) return;
    if (isOpen) this.#field('text')?.focus();
    else this.root.current?.querySelector('button')?.focus();
  }

  #field(name: Field) {
    return this.root.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name=${name}]`);
  }

  #refuse(text: string, of?: Field) {
    // After the words are below the field, with room for them above the buttons.
    this.setState({ isBusy: false, problem: { text, ...(of && { of }) } }, () => {
      const field = of && mayMoveFocus(this.root.current) && this.#field(of);
      if (!field) return;
      field.focus({ preventScroll: true });
      field.scrollIntoView({ block: 'nearest' });
    });
    this.props.session.context.announce(text);
  }

  #submit() {
    const [text, email] = [this.#field('text')?.value.trim(), this.#field('email')];
    if (!text) this.#refuse(strings.messageMissing, 'text');
    else if (!email?.checkValidity()) this.#refuse(strings.contactInvalid, 'email');
    else void this.#leave(text, email.value);
  }

  async #leave(text: string, email: string) {
    const { session, refused, widget } = this.props;
    const { context } = session;
    const signal = context.getSignal();
    this.setState({ isBusy: true, problem: undefined });
    try {
      await saveContact(context, email);
    } catch (error) {
      if (signal.aborted) return;
      const problem = contactProblem(context, error);
      this.#refuse(problem, problem === strings.contactInvalid ? 'email' : undefined);
      return;
    }
    // Before the message, which the bot would answer otherwise.
    const isDone = await sendHandlingRequest(context, 'request', { ...refused, leavesMessage: true });
    if (signal.aborted) return;
    if (!isDone) {
      this.setState({ isBusy: false, problem: { text: strings.notPossible } });
      return;
    }
    const mayMove = mayMoveFocus(this.root.current);
    // From here on it is kept like all messages that were not sent yet.
    session.send({ type: 'text', text }).catch(() => {});
    if (mayMove) moveFocus(widget.frame);
  }

  override render(_: Props, { isOffered, isOpen, isBusy = false, email, problem }: FormState) {
    if (!isOffered) return null;
    const described = (field: Field) => ({
      'aria-invalid': problem?.of === field,
      'aria-describedby': problem?.of === field ? problemId : undefined,
    });
    return (
      <form
        ref={this.root}
        class="mail-address"
        part="left-message"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isOpen && !isBusy) this.#submit();
        }}
      >
        {isOpen && (
          <>
            <label>
              {strings.messageOffer}
              <textarea
                name="text"
                dir="auto"
                rows={3}
                maxLength={textLength}
                required
                {...described('text')}
              />
            </label>
            <label>
              {strings.contactOffer}
              <input
                name="email"
                type="email"
                dir="ltr"
                autocomplete="email"
                maxLength={254}
                required
                placeholder={strings.contactEmail}
                defaultValue={email ?? ''}
                {...described('email')}
              />
            </label>
            {problem && (
              <p id={problemId} class="handling-problem">
                {problem.text}
              </p>
            )}
          </>
        )}
        <p class="mail-address-buttons">
          {isOpen ? (
            <>
              <button key="send" type="submit" class="option" disabled={isBusy}>
                {strings.send}
              </button>
              <button
                key="discard"
                type="button"
                class="option"
                disabled={isBusy}
                onClick={() => this.setState({ isOpen: false, problem: undefined })}
              >
                {strings.discard}
              </button>
            </>
          ) : (
            // A key: a button that became the one to submit while it is pressed would submit.
            <button key="open" type="button" class="option" onClick={() => this.setState({ isOpen: true })}>
              {strings.messageOffer}
            </button>
          )}
        </p>
      </form>
    );
  }
}
