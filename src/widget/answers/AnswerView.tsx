// An answer with its parts: text and steps in their order, the sources before the questions at the end, and the status of the bot.
// Only the visitor opens folded parts.
import { Component, type ComponentChild, type ComponentType } from 'preact';
import { appBlock } from '../../protocol/apps.ts';
import { lazyBundle } from '../chat/lazy-bundle.ts';
import type { PayloadProps } from '../chat/payloads/payload-props.ts';
import type { Row } from '../chat/store/store.ts';
import type { ViewProps } from '../chat/view.ts';
import { plural } from '../i18n/current.ts';
import type { DetailsView } from './details/details-view.tsx';
import { Fold, type FoldState } from './Fold.tsx';
import css from './parts.css?inline';
import { type Answer, type Piece, type Step, textOf } from './read-parts.ts';
import { Steps } from './Steps.tsx';
import { strings } from './strings.ts';

/** Draws a payload. */
export type PayloadComponent = ComponentType<PayloadProps>;

interface Props extends ViewProps {
  row: Row;
  answer: Answer;
  Payload: PayloadComponent;
}

/** Opened steps and sources, and the questions that wait for an answer. Until it has loaded, questions are text. */
const detailsBundle = lazyBundle(() => import('./interactive.ts'));
/** Apps of the bot. Until it has loaded, they are text. */
const appBundle = lazyBundle(() => import('./apps/main.ts'));

const styled = new WeakSet<object>();

/** The ids of open parts if none is open. */
const nothing: ReadonlySet<string> = new Set();

/** Milliseconds without text before a status is announced. */
const quietMs = 4_000;
/** Milliseconds between two announcements. */
const gapMs = 15_000;

export class AnswerView extends Component<Props, { open: ReadonlySet<string> }> {
  override state = { open: nothing };
  readonly #element = { current: null as HTMLDivElement | null };
  #details: DetailsView | undefined;
  readonly #status = createStatusAnnouncements((status) => {
    const { store, session } = this.props;
    session.context.announce(`${store.state.configuration.botName}: ${status}`);
  });
  /** The numbers in the text without a source. */
  readonly #missed = new Set<number>();
  /** The inputs by the id of the interrupt: the signal that an interrupt was settled leaves a long input out. */
  readonly #asked = new Map<string, Record<string, unknown> | undefined>();
  /** Counts how often the text was drawn again, because a source came after its number. */
  #drawn = 0;
  /** The steps of each group as they were drawn, by its key. */
  readonly #steps = new Map<string, readonly Step[]>();

  readonly #cite = (number: number): string | undefined => {
    const { sources } = this.props.answer;
    if (number > sources.length) this.#missed.add(number);
    const source = sources[number - 1];
    return source && (textOf(source.title) || '–');
  };

  override componentWillMount() {
    const { widget } = this.props;
    if (!styled.has(widget)) widget.adopt('parts', css);
    styled.add(widget);
  }

  override componentDidMount() {
    this.#element.current?.addEventListener('click', ({ target }) => {
      const number = (target as Element).closest('.cite')?.textContent;
      if (number) this.#showSource(number);
    });
    this.componentDidUpdate();
  }

  override componentDidUpdate() {
    const { answer, row } = this.props;
    const { markdown = '' } = row.payload as { markdown?: string };
    this.#status.update(answer.status, markdown);
  }

  override componentWillUnmount() {
    this.#status.dispose();
  }

  /** Opens the list of sources, and moves the focus to one: the visitor has activated its number. */
  #showSource(number: string) {
    const focus = () =>
      this.#element.current?.querySelector<HTMLElement>(`[data-source="${number}"]`)?.focus();
    this.setState(({ open }) => ({ open: new Set(open).add('sources') }));
    // Once it is drawn.
    detailsBundle.load(() => this.setState({}, focus));
  }

  /** Draws the opened part; while its bundle loads, a placeholder. */
  #drawOpened(draw: (details: DetailsView) => ComponentChild): ComponentChild {
    detailsBundle.request();
    const { module } = detailsBundle;
    if (module) {
      this.#details ??= module.createDetails(this.props.session.context, () => this.forceUpdate());
      return draw(this.#details);
    }
    if (module === undefined) return '…';
    return (
      <button type="button" class="again" onClick={() => detailsBundle.load()}>
        {strings.retry}
      </button>
    );
  }

  /** Returns the array of the last drawing if it has the same steps: a group with the same properties is not drawn again. */
  #sameSteps(key: string, steps: readonly Step[]): readonly Step[] {
    const previous = this.#steps.get(key) ?? [];
    const same = previous.length === steps.length && previous.every((step, i) => step === steps[i]);
    this.#steps.set(key, same ? previous : steps);
    return same ? previous : steps;
  }

  readonly #fold = (...ids: [string, ...string[]]): FoldState => {
    const { open } = this.state;
    const isOpen = open.has(ids[0]);
    const onToggle = () => {
      const others = [...this.state.open].filter((id) => !ids.includes(id));
      this.setState({ open: new Set(isOpen ? others : [...others, ...ids]) });
    };
    return { isOpen, onToggle };
  };

  readonly #drawDetails = (step: Parameters<DetailsView['drawStep']>[1]): ComponentChild =>
    this.#drawOpened((details) => details.drawStep(this.props.row, step));

  override render(props: Props, { open }: { open: ReadonlySet<string> }) {
    const { row, answer, Payload } = props;
    const { pieces, sources, status } = answer;
    const isStreaming = row.status === 'streaming';
    if ([...this.#missed].some((number) => number <= sources.length)) {
      this.#missed.clear();
      this.#drawn++;
    }
    // Any change may have opened or closed parts.
    const drawing = open.size > 0 ? {} : nothing;
    /** The pieces that are cards, and not in a bubble. */
    const cards = new Set<ComponentChild>();
    const asCard = (card: ComponentChild) => {
      cards.add(card);
      return card;
    };
    const draw = (piece: Piece): ComponentChild => {
      if (piece.type === 'steps') {
        const { key } = piece;
        const steps = this.#sameSteps(key, piece.steps);
        return <Steps key={key} {...{ steps, drawing }} fold={this.#fold} drawDetails={this.#drawDetails} />;
      }
      // A question that is not stored yet cannot be answered.
      if (piece.type === 'interrupt' && row.id) {
        detailsBundle.request();
        const Card = detailsBundle.module?.InterruptCard;
        const { interrupt, text, title } = piece;
        const { id, input = this.#asked.get(id) } = interrupt;
        this.#asked.set(id, input);
        const shown = input === undefined ? interrupt : { ...interrupt, input, omitted: undefined };
        // Nobody can approve what they cannot see.
        const values = (shown.input ?? shown.omitted) !== undefined && this.#drawDetails(shown);
        if (Card) {
          return asCard(
            <Card key={id} {...props} interrupt={interrupt} question={text} title={title}>
              {values}
            </Card>,
          );
        }
      }
      if (piece.type === 'block' || piece.type === 'interrupt') {
        const text = (
          <p key={piece.key} class="text" dir="auto">
            {piece.text}
          </p>
        );
        if (piece.type !== 'block') return text;
        const { part } = piece;
        const origin = part.name === appBlock && props.store.state.webchat?.sandboxOrigin;
        if (origin) appBundle.request();
        const App = origin && appBundle.module?.App;
        return (
          props.widget.blocks?.draw(part, text) ||
          (App
            ? asCard(
                <App key={piece.key} {...props} origin={origin} data={part.data} name={piece.text}>
                  {text}
                </App>,
              )
            : text)
        );
      }
      if (row.payload.type !== 'markdown') {
        return <Payload key="payload" payload={row.payload} isStreaming={isStreaming} onAnswer={() => {}} />;
      }
      return (
        <Text
          key={`${piece.key} ${this.#drawn}`}
          Payload={Payload}
          text={piece.text}
          isStreaming={isStreaming && piece.isLast}
          cite={this.#cite}
        />
      );
    };
    // Pieces between two cards are in one bubble.
    const groups: ComponentChild[] = [];
    let words: ComponentChild[] = [];
    const close = (key: string | undefined) => {
      if (words.length > 0) {
        groups.push(
          <div key={`words ${key}`} class="words">
            {words}
          </div>,
        );
      }
      words = [];
    };
    const drawn: [child: ComponentChild, key?: string][] = pieces.map((piece) => [draw(piece), piece.key]);
    if (sources.length > 0) {
      // They belong to the text, and not to a question after it, also while its card is loading.
      drawn.splice(pieces.findLastIndex(({ type }) => type !== 'interrupt') + 1, 0, [
        <Fold
          key="sources"
          {...this.#fold('sources')}
          part="sources"
          label={plural('sources', sources.length)}
        >
          {() => this.#drawOpened((details) => details.drawSources(sources))}
        </Fold>,
      ]);
    }
    if (status) {
      drawn.push([
        <p key="status" class="working" part="status" dir="auto">
          <i class="mark" />
          <span>{status}</span>
        </p>,
      ]);
    }
    let first: string | undefined;
    for (const [child, key] of drawn) {
      if (cards.has(child)) {
        close(first);
        groups.push(child);
        first = undefined;
      } else {
        words.push(child);
        first ??= key;
      }
    }
    close(first);
    return (
      <div class="answer" ref={this.#element}>
        {groups}
      </div>
    );
  }
}

interface TextProps {
  Payload: PayloadComponent;
  text: string;
  isStreaming: boolean;
  cite(number: number): string | undefined;
}

/** A piece of the text. Finished pieces are not rendered again for each word that follows. */
class Text extends Component<TextProps> {
  override shouldComponentUpdate({ text, isStreaming }: TextProps) {
    return text !== this.props.text || isStreaming !== this.props.isStreaming;
  }

  override render({ Payload, text, isStreaming, cite }: TextProps) {
    const payload = { type: 'markdown', markdown: text } as const;
    return <Payload payload={payload} isStreaming={isStreaming} cite={cite} onAnswer={() => {}} />;
  }
}

interface StatusAnnouncements {
  /** Is called with each change. `status`: '' if there is none, or if the answer has ended. */
  update(status: string, text: string): void;
  dispose(): void;
}

/** Decides when the status of an answer is announced: only while no text arrives, and not too often. */
function createStatusAnnouncements(announce: (status: string) => void): StatusAnnouncements {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = { status: '', text: '' };
  let quietSince = performance.now();
  let said = '';
  let saidAt = Number.NEGATIVE_INFINITY;

  const check = () => {
    clearTimeout(timer);
    const { status } = last;
    if (!status || status === said) return;
    const wait = Math.max(quietSince + quietMs, saidAt + gapMs) - performance.now();
    if (wait > 0) {
      timer = setTimeout(check, wait);
      return;
    }
    said = status;
    saidAt = performance.now();
    announce(status);
  };
  return {
    update(status, text) {
      if (status === last.status && text === last.text) return;
      if (text !== last.text) quietSince = performance.now();
      last = { status, text };
      check();
    },
    dispose: () => clearTimeout(timer),
  };
}
