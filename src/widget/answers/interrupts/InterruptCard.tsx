// A question of the bot, with buttons or a form for the answer. After the answer, it shows what was answered.
import { Component, type ComponentChild } from 'preact';
import type { InterruptPart } from '../../../protocol/parts.ts';
import { mayMoveFocus } from '../../chat/components/focus.ts';
import type { ViewProps } from '../../chat/view.ts';
import { Icon } from '../../icon.tsx';
import { Form, SentAnswers } from './Form.tsx';
import { readFields } from './form-fields.ts';
import css from './interrupt.css?inline';
import { type InterruptAnswer, responsesOf, type SentAnswer } from './responses.ts';
import { isAccepted, resultOf, type Settlement } from './result.ts';
import { strings } from './strings.ts';

/** From Lucide (ISC): "check" and "minus", each one path in a 24 by 24 box. */
const icons = {
  done: 'M20 6 9 17l-5-5',
  ended: 'M5 12h14',
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

export class InterruptCard extends Component<Props> {
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
    if (!styled.has(widget)) widget.adopt('interrupt', css);
    styled.add(widget);
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
      current?.querySelector<HTMLElement>('[tabindex="-1"], button, input, select')?.focus();
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
    return (
      <fieldset class="ask" part="interrupt" aria-label={question.slice(0, namedCharacters)} ref={this.#box}>
        <p class="text" dir="auto">
          {question}
        </p>
        {(title || children) && (
          <div class="ask-what">
            <p dir="auto">{title}</p>
            {children}
          </div>
        )}
        {isAnswerable ? (
          this.#renderQuestion(interrupt, title, sent)
        ) : call ? (
          <p class="ask-result" tabIndex={-1}>
            {strings[call]}
          </p>
        ) : (
          this.#renderResult(sent, settled)
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

  #renderResult(sent: SentAnswer | undefined, settled: Settlement | undefined) {
    const { interrupt } = this.props;
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
    const button = (label: string, act: () => void) => (
      <button
        type="button"
        class="ask-again"
        aria-label={`${label}: ${resultOf(interrupt, settlement)}`}
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
        {fields && <SentAnswers fields={fields} values={Object(settlement.response)} />}
        <p class="ask-result" tabIndex={-1}>
          <Icon path={isAccepted(interrupt, settlement) ? icons.done : icons.ended} />
          {resultOf(interrupt, settlement)}
          {!settled && (
            <span class="ask-note" role={isRefused ? 'alert' : undefined}>
              {note}
            </span>
          )}
        </p>
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
