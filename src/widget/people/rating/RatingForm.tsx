// The question how helpful a person was, after the end of a conversation: five radio buttons, a comment, and Skip.
import { Component } from 'preact';
import { rateConversation } from '../../../client/operations/chat.ts';
import en from '../../../locales/en.json' with { type: 'json' };
import { highestRating, lowestRating, ratingCommentLength } from '../../../protocol/rating-limits.ts';
import type { Rating } from '../../../protocol/types/handling.ts';
import { mayMoveFocus, moveFocus } from '../../chat/components/focus.ts';
import type { ViewProps } from '../../chat/view.ts';
import { addStrings, interpolate } from '../../i18n/current.ts';
import css from './rating.css?inline';

/** Includes the strings of the people bundle: one object contains the strings of all bundles. */
const strings = addStrings(en.widget.rating) as typeof en.widget.rating & typeof en.widget.people;

const values: number[] = [];
for (let value = lowestRating; value <= highestRating; value++) values.push(value);

type Props = ViewProps & { rating: Rating };

interface FormState {
  /** The button that is chosen. */
  value?: number;
  isBusy?: boolean;
  hasFailed?: boolean;
  /** The action of the visitor in this tab. */
  outcome?: 'rated' | 'skipped';
}

/** `handoffId` is its key: another handoff is another question. */
export class RatingForm extends Component<Props, FormState> {
  readonly root = { current: null as HTMLDivElement | null };

  override componentWillMount() {
    this.props.widget.adopt('rating', css);
  }

  override componentDidMount() {
    if (this.props.rating.state === 'offered') this.props.session.context.announce(strings.ratingOffered);
  }

  override componentWillUpdate({ rating, widget }: Props, { isBusy, outcome }: FormState) {
    // Answered in another tab: the form is about to be removed.
    const isTaken = rating.state !== 'offered' && !isBusy && !outcome;
    if (isTaken && this.root.current?.matches(':focus-within')) moveFocus(widget.frame);
  }

  async #answer(rating: number | null) {
    const { session, widget } = this.props;
    const { context } = session;
    const { root } = this;
    const { handoffId } = this.props.rating;
    const comment = root.current?.querySelector('textarea')?.value.trim();
    const signal = context.getSignal();
    const pressed = root.current?.querySelector<HTMLElement>(':focus');
    this.setState({ isBusy: true, hasFailed: false });
    try {
      const id = await context.getConversationId();
      const input = { id, handoffId, rating, ...(rating && comment && { comment }) };
      await context.client.with({ rateConversation }).rateConversation(input, { signal });
    } catch (error) {
      if (signal.aborted) return;
      // Another tab was quicker: its rating counts.
      if ((Object(error) as { type?: unknown }).type !== 'AlreadyExists') {
        this.setState({ isBusy: false, hasFailed: true }, () => {
          if (mayMoveFocus(root.current)) pressed?.focus();
        });
        context.report(error);
        context.announce(strings.notPossible);
        return;
      }
    }
    const mayMove = mayMoveFocus(root.current);
    this.setState({ isBusy: false, outcome: rating ? 'rated' : 'skipped' });
    if (rating) context.announce(strings.ratingThanks);
    if (!mayMove) return;
    if (rating) root.current?.focus();
    else moveFocus(widget.frame);
  }

  override render({ rating }: Props, { value, isBusy = false, hasFailed = false, outcome }: FormState) {
    const isAsked = !outcome && (rating.state === 'offered' || isBusy);
    if (!isAsked && outcome !== 'rated') return null;
    return (
      <div ref={this.root} class="rating" part="rating" tabIndex={-1}>
        {outcome ? (
          <p class="rating-question">{strings.ratingThanks}</p>
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (value) void this.#answer(value);
            }}
          >
            <fieldset disabled={isBusy}>
              <legend class="rating-question">{strings.ratingQuestion}</legend>
              <div class="rating-values">
                {values.map((rating) => (
                  <label key={rating} class="rating-value">
                    <input
                      type="radio"
                      name="platform-rating"
                      checked={rating === value}
                      aria-label={interpolate(strings.ratingValue, { value: rating, most: highestRating })}
                      onChange={() => this.setState({ value: rating })}
                    />
                    <span aria-hidden="true">{rating}</span>
                  </label>
                ))}
              </div>
              <p class="rating-ends">
                <span>{strings.ratingLowest}</span>
                <span>{strings.ratingHighest}</span>
              </p>
              {value && (
                <textarea
                  dir="auto"
                  rows={2}
                  maxLength={ratingCommentLength}
                  aria-label={strings.ratingComment}
                  placeholder={strings.ratingComment}
                />
              )}
              {hasFailed && <p class="rating-problem">{strings.notPossible}</p>}
              <div class="rating-buttons">
                <button
                  type="button"
                  class="option"
                  part="rating-skip"
                  onClick={() => void this.#answer(null)}
                >
                  {strings.ratingSkip}
                </button>
                <button type="submit" class="option" part="rating-send" disabled={!value}>
                  {strings.ratingSend}
                </button>
              </div>
            </fieldset>
          </form>
        )}
      </div>
    );
  }
}
