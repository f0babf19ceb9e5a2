// The frame of a screen: its heading, tabs, sections, and the states without content.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { hasMemberMoved } from './navigation.ts';
import { t } from './texts.ts';

interface PageProps {
  title: string;
  /** Above the title, such as a link to the list. */
  above?: ComponentChildren;
  /** Beside the title. */
  actions?: ComponentChildren;
  /** Links to the parts of the screen. */
  tabs?: ComponentChildren;
  /** Changes with the screen: then the focus moves to the heading, so that a screen reader begins with it. */
  focusKey?: string;
  children: ComponentChildren;
}

export function Page({ title, above, actions, tabs, focusKey = title, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Platform Webchat`;
  }, [title]);
  useEffect(() => {
    if (hasMemberMoved()) heading.current?.focus();
  }, [focusKey]);
  return (
    <div class="page">
      <header class="page-header">
        {above}
        <div class="page-title">
          <h1 tabIndex={-1} ref={heading}>
            {title}
          </h1>
          {actions && <div class="buttons">{actions}</div>}
        </div>
        {tabs}
      </header>
      <div class="page-content">{children}</div>
    </div>
  );
}

/** Moves the focus to the heading of the screen, after what had it is gone. */
export const focusHeading = (): void => document.querySelector<HTMLElement>('.page-title h1')?.focus();

interface SectionProps {
  title: string;
  /** One or two sentences below the title. */
  intro?: ComponentChildren;
  actions?: ComponentChildren;
  children?: ComponentChildren;
}

export function Section({ title, intro, actions, children }: SectionProps) {
  return (
    <section class="section" aria-label={title}>
      <div class="section-title">
        <h2>{title}</h2>
        {actions && <div class="buttons">{actions}</div>}
      </div>
      {intro && <p class="intro">{intro}</p>}
      {children}
    </section>
  );
}

/** Names and values, such as those of a token. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="fact-list">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty-state">{children}</div>;
}

export function Loading() {
  return (
    <p class="loading-state" role="status">
      {t('Loading…')}
    </p>
  );
}

export function Problem({ text, onRetry }: { text: string; onRetry?: (() => void) | undefined }) {
  return (
    <div class="problem-state" role="alert">
      <p>{text}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {t('Try again')}
        </button>
      )}
    </div>
  );
}

interface ProgressProps {
  label: string;
  value: number;
  /** Undefined: unknown or unlimited. */
  max?: number | undefined;
  /** Default: the numbers. */
  text?: string;
}

/** How much of something is done or used. */
export function Progress({ label, value, max, text: given }: ProgressProps) {
  const numbers =
    max === undefined ? value.toLocaleString() : `${value.toLocaleString()} / ${max.toLocaleString()}`;
  const text = given ?? numbers;
  return (
    <div class="progress">
      <span>{label}</span>
      <span class="progress-text">{text}</span>
      {max !== undefined && <progress aria-label={label} value={Math.min(value, max)} max={max} />}
    </div>
  );
}

/** In place of a part without its code. `text` says that it could not be loaded. */
export const CodeState = ({ text, retry }: { text: string; retry: (() => void) | undefined }) =>
  retry ? <Problem text={text} onRetry={retry} /> : <Loading />;
