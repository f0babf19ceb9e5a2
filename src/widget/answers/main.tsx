// The entry point of the parts bundle: the steps, sources and suggestions of answers. Loaded with the first message that has
// parts.
import type { ComponentChild } from 'preact';
import { moveFocus } from '../chat/components/focus.ts';
import type { Row } from '../chat/store/store.ts';
import type { ViewProps } from '../chat/view.ts';
import { plural } from '../i18n/current.ts';
import type { Widget } from '../launcher-chat-interface.ts';
import { AnswerView, type PayloadComponent } from './AnswerView.tsx';
import { partsOf, readAnswer } from './read-parts.ts';
import { strings } from './strings.ts';

/**
 * Draws an answer with its parts. Returns the content of its bubble, undefined if that is the payload alone, and the
 * content below the bubble.
 * @param Payload draws a payload without parts.
 */
export function drawAnswer(
  { store, session, widget, isNewest }: ViewProps & { isNewest: boolean },
  row: Row,
  Payload: PayloadComponent,
): [answer: ComponentChild, suggestions: ComponentChild] {
  const answer = readAnswer(row);
  const { pieces, sources, suggestions, status } = answer;
  widget.pageTools?.showRunning(pieces, partsOf(row));
  const isPlain = !status && sources.length === 0 && pieces.every(({ type }) => type === 'text');
  const props = { store, session, widget, row, answer, Payload };
  return [
    isPlain ? undefined : <AnswerView {...props} />,
    isNewest && row.status !== 'streaming' && suggestions.length > 0 && (
      <fieldset class="options" part="suggestions" aria-label={plural('suggestions', suggestions.length)}>
        {suggestions.map(({ label, text }) => (
          <button
            type="button"
            class="option"
            part="suggestion"
            dir="auto"
            onClick={() => {
              // The buttons are removed.
              moveFocus(widget.frame);
              // A failed message stays in the transcript with its text.
              session.send({ type: 'text', text }).catch(() => {});
            }}
          >
            {label}
          </button>
        ))}
      </fieldset>
    ),
  ];
}

/**
 * The announcement of a completed answer with parts: its text, the texts of its blocks, the numbers of its other parts,
 * and its questions. `said`: the text of its payload.
 */
export function toSpeech(row: Row, said: string, { blocks }: Pick<Widget, 'blocks'>): string {
  const { pieces, steps, sources, suggestions, questions, isOfParts } = readAnswer(row);
  const shown = pieces.flatMap((piece) =>
    piece.type === 'block' ? (blocks?.describe(piece.part) ?? piece.text) : [],
  );
  const counts = { steps, sources: sources.length, suggestions: suggestions.length };
  const numbers = (['steps', 'sources', 'suggestions'] as const)
    .flatMap((name) => (counts[name] ? plural(name, counts[name]) : []))
    .join(', ');
  const needed = questions.length > 0 && strings.answerNeeded;
  return [isOfParts ? '' : said, ...shown, numbers, ...questions, needed].filter(Boolean).join('\n');
}
