// Finds the component that shows the options of a question. It is part of the chat, or of the extras bundle.
import type { ComponentType } from 'preact';
import { extras } from '../bundles.ts';
import { Choice, type OptionsProps } from './Choice.tsx';
import { describe, type QuestionName } from './descriptors.ts';

type Extras = NonNullable<(typeof extras)['module']>;
/** The exports of the extras bundle that can show options. */
type LazyName = {
  [Name in keyof Extras]: Extras[Name] extends (props: OptionsProps) => unknown ? Name : never;
}[keyof Extras];

/** A component of this bundle, or the name of an export of `extras/main.tsx`. */
const components: { [Name in QuestionName]: ComponentType<OptionsProps> | LazyName } = {
  choice: Choice,
  dropdown: 'Dropdown',
};

const componentOf = (type: unknown) => {
  const question = describe(type)?.question;
  return question && components[question];
};

/** Whether the component of a question is part of the extras bundle. */
export const isLazyQuestion = (type: unknown): boolean => typeof componentOf(type) === 'string';

/** The component for the options of a question; undefined while its bundle loads. */
export function questionComponent(type: unknown): ComponentType<OptionsProps> | undefined {
  const component = componentOf(type);
  if (typeof component !== 'string') return component || undefined;
  // If its bundle cannot be loaded, the options are shown as buttons.
  return extras.module === null ? Choice : extras.module?.[component];
}
