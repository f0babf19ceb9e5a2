// A question of the bot: a card with what it is about, and buttons or a form for the answer. After the answer, a line that says what
// was answered, and opens.
import { Component, type ComponentChild } from 'preact';
import type { InterruptPart } from '../../../protocol/parts.ts';
import { mayMoveFocus } from '../../chat/components/focus.ts';
import type { ViewProps } from '../../chat/view.ts';
import { Icon } from '../../icon.tsx';
import detailsCss from '../details/details.css?inline';
import { LabelledTexts } from '../details/Values.tsx';
import { answersOf, Form } from './Form.tsx';
import { readFields } from './form-fields.ts';
import css from './interrupt.css?inline';
import { type InterruptAnswer, responsesOf, type SentAnswer } from './responses.ts';
import { isAccepted, resultOf, type Settlement } from './result.ts';
import { strings } from './strings.ts';

/** From Lucide (ISC): "check", "minus" and "chevron-down", each one path in a 24 by 24 box. */
const icons = {
  done: 'M20 6 9 17l-5-5',
  ended: 'M5 12h14',
  open: 'm6 9 6 6 6-6',
};

const styled = new WeakSet<object>();

/** Characters of the question in the names of the card and in announcements. */
const namedCharacters = 100;

interface Props extends ViewProps {
  interrupt: InterruptPart;
  /** The question, and the title of the tool; '' without one. Texts that can be drawn. */
  question: string;
  title: string;
  /** The input of the tool. */
  children: ComponentChild;
}

/** The first of these gets the focus when what had it is removed. */
const focusable = '.ask-result, :is(.ask-form, .ask-buttons) :is(button, input, select)';

export class InterruptCard extends Component<Props, { isOpen?: boolean }> {
  readonly #box = { current: null as HTMLFieldSetElement | null };
  #wasOpen = false;
  /** The visitor has pressed a button: some browsers do not focus it. */
  #hasActed = false;

  #responses() {
    return responsesOf(this.props.session.context);
  }

  /** The answer that is being sent, and how the interrupt was settled, if it was. */
  #state(): { sent: SentAnswer | undefined; settled: Settlement | undefined } {
    const { interrupt } = this.props;
    const sent = this.#responses().of(interrupt.id);
    return { sent, settled: interrupt.state === 'open' ? sent?.settled : interrupt };
  }

  override componentWillMount() {
    const { widget } = this.props;
    if (styled.has(widget)) return;
    styled.add(widget);
    widget.adopt('details', detailsCss);
    widget.adopt('interrupt', css);
  }

  override componentDidMount() {
    this.#wasOpen = !this.#state().settled;
  }

  /** Returns whether the focus is in the card, or was left behind by a press there: the visitor may write elsewhere meanwhile. */
  override getSnapshotBeforeUpdate() {
    const { current } = this.#box;
    const { activeElement } = (current?.getRootNode() ?? {}) as Partial<ShadowRoot>;
    if (!this.#hasActed) return !!current?.contains(activeElement ?? null);
    // Safari focuses what can have the focus around a pressed button.
    return !!activeElement?.contains(current) || mayMoveFocus(current);
  }

  override componentDidUpdate(_: unknown, __: unknown, hadFocus: boolean) {
    const { interrupt, question, session } = this.props;
    const { current } = this.#box;
    if (hadFocus && !current?.contains((current.getRootNode() as ShadowRoot).activeElement)) {
      current?.querySelector<HTMLElement>(focusable)?.focus();
    }
    this.#hasActed = false;
    const { sent, settled } = this.#state();
    if (settled && this.#wasOpen && settled.by !== 'superseded' && !(sent && isOf(sent.answer, settled))) {
      const result = resultOf(interrupt, settled);
      session.context.announce(`${result}: ${question.slice(0, namedCharacters)}`);
    }
    this.#wasOpen = !settled;
    // The state from the server takes precedence.
    if (interrupt.state !== 'open' && sent) this.#responses().discard(interrupt.id);
  }

  #answer(answer: InterruptAnswer) {
    this.#hasActed = true;
    const { interrupt, widget } = this.props;
    if (interrupt.reason === 'client_tool') widget.pageTools?.decide(interrupt, answer);
    else this.#responses().send(interrupt.id, answer);
  }

  override render({ interrupt, question, title, children, widget }: Props) {
    const { sent, settled } = this.#state();
    const call =
      !settled &&
      interrupt.reason === 'client_tool' &&
      (widget.pageTools?.stateOf(interrupt) ?? 'stepWaiting');
    const isAnswerable = !settled && !call && (!sent || sent.issues);
    const what = (
      <>
        <p class="ask-title" dir="auto">
          {title || question}
        </p>
        {title && (
          <p class="text" dir="auto">
            {question}
          </p>
        )}
        {children}
      </>
    );
    return (
      <fieldset
        class="ask"
        part="interrupt"
        data-card="true"
        aria-label={question.slice(0, namedCharacters)}
        data-ended={!isAnswerable && !call}
        ref={this.#box}
      >
        {isAnswerable || call ? what : this.#renderResult(what, sent, settled)}
        {isAnswerable && this.#renderQuestion(interrupt, title, sent)}
        {call && (
          <p class="ask-result" tabIndex={-1}>
            {strings[call]}
          </p>
        )}
      </fieldset>
    );
  }

  #renderQuestion({ id, reason, responseSchema }: InterruptPart, title: string, sent?: SentAnswer) {
    const button = (label: string, answer: InterruptAnswer, isFirst = false) => (
      <button
        type="button"
        class="option"
        part="interrupt-button"
        aria-label={title && `${label}: ${title}`}
        data-first={isFirst}
        onClick={() => this.#answer(answer)}
      >
        {label}
      </button>
    );
    if (responseSchema) {
      const fields = readFields(responseSchema);
      const decline = button(strings.decline, { status: 'cancelled' });
      if (!fields) {
        return (
          <>
            <p>{strings.unsupported}</p>
            {decline}
          </>
        );
      }
      return (
        <Form
          key="form"
          id={id}
          schema={responseSchema}
          fields={fields}
          sent={sent}
          onSubmit={(payload) => this.#answer({ status: 'resolved', payload })}
        >
          {decline}
        </Form>
      );
    }
    const [yes, no] =
      reason === 'confirmation' ? [strings.yes, strings.no] : [strings.approve, strings.decline];
    return (
      <div class="ask-buttons">
        {button(yes, { status: 'resolved', payload: { approved: true } }, true)}
        {button(no, { status: 'resolved', payload: { approved: false } })}
      </div>
    );
  }

  /** @param what the question, which is shown when the line is opened. */
  #renderResult(what: ComponentChild, sent: SentAnswer | undefined, settled: Settlement | undefined) {
    const { interrupt, question, title } = this.props;
    const { id, responseSchema } = interrupt;
    const settlement: Settlement = settled ?? {
      state: sent?.answer.status,
      by: 'visitor',
      response: sent?.answer.payload,
    };
    const isWaiting = !settled && sent && sent.status !== 'sending';
    const isRefused = sent?.status === 'refused';
    const note = isWaiting ? (isRefused ? strings.failed : strings.queued) : strings.sending;
    const fields = responseSchema && settlement.state === 'resolved' && readFields(responseSchema);
    const answers = fields ? answersOf(fields, Object(settlement.response)) : [];
    const result = resultOf(interrupt, settlement);
    const about = answers.flatMap(([, answer]) => answer || []).join(' · ') || title || question;
    const button = (label: string, act: () => void) => (
      <button
        type="button"
        class="ask-again"
        aria-label={`${label}: ${result}`}
        onClick={() => {
          this.#hasActed = true;
          act();
        }}
      >
        {label}
      </button>
    );
    return (
      <>
        <details onToggle={({ currentTarget }) => this.setState({ isOpen: currentTarget.open })}>
          <summary class="ask-result">
            <Icon path={isAccepted(interrupt, settlement) ? icons.done : icons.ended} />
            <b>{result}</b>
            <bdi>{about.slice(0, namedCharacters)}</bdi>
            <Icon path={icons.open} />
          </summary>
          {this.state.isOpen && (
            <>
              {what}
              <LabelledTexts rows={answers} />
            </>
          )}
        </details>
        {!settled && (
          <p class="ask-note" role={isRefused ? 'alert' : undefined}>
            {note}
          </p>
        )}
        {isWaiting && (
          <div class="ask-buttons ask-repeat">
            {button(strings.retry, sent.retry)}
            {button(strings.discard, () => this.#responses().discard(id))}
          </div>
        )}
      </>
    );
  }
}

/** Whether an interrupt was settled by this answer. A long answer is left out of signals. */
function isOf(
  { status, payload }: InterruptAnswer,
  { state, by, response }: Settlement & { omitted?: true },
): boolean {
  return (
    status === state &&
    by === 'visitor' &&
    (response === undefined || JSON.stringify(response) === JSON.stringify(payload))
  );
}
