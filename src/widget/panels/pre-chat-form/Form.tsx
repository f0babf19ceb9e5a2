// The form before a conversation. It takes the place of the messages and of the composer until the conversation begins.
import { Component } from 'preact';
import { composerBox } from '../../chat/components/focus.ts';
import type { ViewProps } from '../../chat/view.ts';
import { storedForm, unknownFields } from './ask.ts';
import { type Problem, type Problems, problemsOf, type Typed } from './check-answers.ts';
import { Consent, FieldView } from './FieldView.tsx';
import css from './pre-chat-form.css?inline';
import { type Asking, askingOf } from './questions.ts';
import { type Field, readForm } from './read-form.ts';
import { strings } from './strings.ts';

interface FormState {
  problems?: Problems | undefined;
}

export class Form extends Component<ViewProps, FormState> {
  readonly #form = { current: null as HTMLFormElement | null };
  #asking: readonly Field[] | undefined;
  #isOpen = false;
  #problems: Problems | undefined;

  override componentWillMount() {
    this.props.widget.adopt('pre-chat-form', css);
  }

  override componentDidMount() {
    this.componentDidUpdate();
  }

  override componentDidUpdate() {
    const { store, widget } = this.props;
    const { isOpen } = store.state;
    const asking = askingOf(widget);
    const problems = this.#shownProblems(asking);
    const hasAppeared = isOpen && asking && (asking.fields !== this.#asking || !this.#isOpen);
    const hasProblems = problems !== this.#problems && Object.keys(problems).length > 0;
    // Until the conversation has begun, an empty form is in the place of the composer.
    const hasGone = this.#asking && !widget.frame.querySelector('.pre-chat-form');
    if (asking || hasGone) this.#asking = asking?.fields;
    this.#isOpen = isOpen;
    this.#problems = problems;
    if (hasProblems) {
      const control = this.#form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
      control?.focus({ preventScroll: true });
      // With its label and its error.
      control?.parentElement?.scrollIntoView({ block: 'nearest' });
    } else if (hasAppeared && this.#mayFocus()) {
      this.#form.current?.querySelector<HTMLElement>('input, select')?.focus({ preventScroll: true });
    } else if (hasGone && isOpen && this.#mayFocus()) {
      composerBox(widget.frame)?.focus({ preventScroll: true });
    }
  }

  /** Not on touch screens, where it would open the keyboard, and not while the visitor is in the page. */
  #mayFocus(): boolean {
    const { frame } = this.props.widget;
    const isHere = (frame.getRootNode() as ShadowRoot).activeElement;
    const isFree = frame.getAttribute('role') === 'dialog' && document.activeElement === document.body;
    return !matchMedia('(pointer: coarse)').matches && (!!isHere || isFree);
  }

  #shownProblems(asking: Asking | undefined): Problems {
    return this.state.problems ?? asking?.problems ?? none;
  }

  #typed(): Typed {
    return storedForm(this.props.widget).typed ?? {};
  }

  #onInput({ name, value, type, checked }: HTMLInputElement) {
    const { widget } = this.props;
    const fieldValue = type === 'checkbox' ? (checked ? 'yes' : '') : value;
    const typed = { ...this.#typed(), [name]: fieldValue };
    widget.storage.write({ preChatForm: { ...storedForm(widget), typed } });
  }

  #submit({ fields, submit, isBusy }: Asking) {
    if (isBusy) return;
    const problems = problemsOf(fields, this.#typed());
    if (Object.keys(problems).length > 0) return this.setState({ problems });
    // The server may refuse others.
    this.setState({ problems: undefined });
    // A control that is disabled meanwhile would lose the focus.
    this.#form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
    submit(this.#typed());
  }

  override render({ store, session, widget }: ViewProps) {
    const { state } = store;
    const asking = askingOf(widget);
    // Subscribes to the opening of the window.
    void state.isOpen;
    if (!asking) return this.#isStarting(session.context) ? <div class="pre-chat-form" /> : null;
    const { fields, isBusy, cancel } = asking;
    const { text } = readForm(state.configuration.preChatForm);
    const typed = this.#typed();
    const problems = this.#shownProblems(asking);
    const viewOf = (field: Field) => ({
      field,
      isBusy,
      value: typed[field.name] ?? '',
      problem: problems[field.name] as Problem | undefined,
    });
    return (
      <form
        ref={this.#form}
        class="pre-chat-form"
        part="pre-chat-form"
        noValidate
        aria-labelledby="pre-chat-title"
        aria-describedby={text ? 'pre-chat-text' : undefined}
        aria-busy={isBusy}
        onInput={(event) => this.#onInput(event.target as HTMLInputElement)}
        onSubmit={(event) => {
          event.preventDefault();
          this.#submit(asking);
        }}
      >
        <h3 id="pre-chat-title" class="pre-chat-title">
          {strings.formTitle}
        </h3>
        {text && (
          <p id="pre-chat-text" class="pre-chat-text" dir="auto">
            {text}
          </p>
        )}
        {fields.map((field) =>
          field.kind === 'consent' ? (
            <Consent key={field.name} {...viewOf(field)} policy={state.configuration.privacyPolicy} />
          ) : (
            <FieldView key={field.name} {...viewOf(field)} />
          ),
        )}
        <div class="pre-chat-buttons">
          <button type="submit" class="pre-chat-start" part="pre-chat-start" aria-disabled={isBusy}>
            {isBusy ? strings.sending : strings.formStart}
          </button>
          {cancel && !isBusy && (
            <button type="button" class="option" onClick={cancel}>
              {strings.formBack}
            </button>
          )}
        </div>
      </form>
    );
  }

  /** Something will be asked as soon as the session has begun: the visitor should not write a message first. */
  #isStarting(internals: Parameters<typeof unknownFields>[0]): boolean {
    const { history, connection } = internals.store.state;
    const { conversationId } = internals.widget.storage.read();
    const isBefore = history === 'unknown' && connection === 'connecting' && !conversationId;
    return isBefore && internals.store.has('preChatForm') && unknownFields(internals).length > 0;
  }
}

const none: Problems = {};
