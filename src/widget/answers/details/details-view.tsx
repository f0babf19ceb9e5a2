// The opened details of an answer: the values of a step, the list of sources, and the values that need approval.
import type { ComponentChild } from 'preact';
import type { SourcePart } from '../../../protocol/parts.ts';
import type { SessionContext } from '../../chat/session/context.ts';
import type { Row } from '../../chat/store/store.ts';
import { Details, type Step } from './Details.tsx';
import css from './details.css?inline';
import { createOmittedValues } from './omitted-values.ts';
import { Sources } from './Sources.tsx';

/** Draws the opened details of one answer. */
export interface DetailsView {
  /** Draws the values of a step, or the values that a question is about. @param row the row of the answer. */
  drawStep(row: Row, step: Step): ComponentChild;
  drawSources(sources: readonly SourcePart[]): ComponentChild;
}

const styled = new WeakSet<object>();

/** @param onChange something was loaded, or could not be. */
export function createDetails(context: SessionContext, onChange: () => void): DetailsView {
  const { widget } = context;
  if (!styled.has(widget)) widget.adopt('details', css);
  styled.add(widget);
  const values = createOmittedValues(onChange);
  return {
    drawStep: (row, step) => <Details step={step} load={(id) => values.read(context, row, id)} />,
    drawSources: (sources) => <Sources sources={sources} />,
  };
}
