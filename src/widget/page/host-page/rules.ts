// Shows proactive messages by rules. Loaded only where rules are configured.
import type { ProactiveRule } from '../../../protocol/page-api/proactive.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { type Situation, secondsUntil, textOf } from './rule-conditions.ts';
import type { RuleMemory } from './rule-memory.ts';

/** The longest timer of a browser in milliseconds: a longer one would end at once. */
const maxTimerMs = 2 ** 31 - 1;

export interface Rules {
  /** Evaluates the rules, for example after `show()`. */
  check(): void;
}

/**
 * @param seen what is remembered until the tab is closed.
 * @param show shows a text, and calls `onDismiss` when the visitor dismisses it. It ends when `signal` aborts.
 */
export function watchRules(
  widget: Widget,
  seen: RuleMemory,
  rules: readonly ProactiveRule[],
  signal: AbortSignal,
  show: (text: string, onDismiss: () => void) => void,
): Rules {
  const { visits = 0 } = widget.storage.read();
  const usesVisits = rules.some(({ when }) => when?.returning !== undefined);
  const isReturning = seen.read().isCounted ? visits > 1 : visits > 0;
  if (usesVisits && !seen.read().isCounted) {
    widget.storage.write({ visits: visits + 1 });
    seen.write({ isCounted: true });
  }
  const startedAt = performance.now();
  let activeAt = startedAt;
  let scrolled = 0;
  let hasLeft = false;
  let isDone = false;
  let timer = 0;
  /** Whether the rules will be evaluated because of an action. */
  let isPlanned = false;

  function situation(): Situation {
    const now = performance.now();
    return {
      elapsed: (now - startedAt) / 1000,
      idle: (now - activeAt) / 1000,
      scrolled,
      url: location.pathname + location.search,
      hasLeft,
      isReturning,
      userData: widget.user.data ?? {},
    };
  }

  function check(): void {
    clearTimeout(timer);
    if (isDone || signal.aborted || widget.wasOpened) return;
    // Read once for all rules, because the pointer moves often.
    const session = seen.read();
    if (session.isSilent) return;
    // While the page is hidden or the launcher is, nobody would see the message.
    if (document.hidden || widget.box.dataset.hidden !== undefined) return;
    const now = situation();
    const { shown } = widget.storage.read();
    // The requested language, which may not be loaded yet, and which the widget itself may not have.
    const locale = widget.configuration.locale || document.documentElement.lang || navigator.language;
    let soonest = Number.POSITIVE_INFINITY;
    for (const rule of rules) {
      const text = wasShown(rule, shown, session.shown) ? undefined : textOf(rule, locale);
      if (!text) continue;
      const seconds = secondsUntil(rule, now);
      if (seconds === 0) {
        present(rule, text);
        return;
      }
      soonest = Math.min(soonest, seconds);
    }
    if (soonest < Number.POSITIVE_INFINITY)
      timer = window.setTimeout(check, Math.min(soonest * 1000 + 1, maxTimerMs));
  }

  function present({ id, show: frequency = 'visitor' }: ProactiveRule, text: string): void {
    isDone = true;
    if (frequency === 'visitor')
      widget.storage.write({ shown: [...(widget.storage.read().shown ?? []), id] });
    if (frequency === 'session') seen.write({ shown: [...(seen.read().shown ?? []), id] });
    show(text, () => seen.write({ isSilent: true }));
  }

  /** An action of the visitor: a single-page application may change its address afterwards. */
  function onAction(): void {
    activeAt = performance.now();
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      check();
    });
  }
  function onScroll(): void {
    const { scrollHeight, clientHeight } = document.documentElement;
    const part = scrollHeight > clientHeight ? (scrollY + clientHeight) / scrollHeight : 1;
    // Fractions of pixels at the end of the page.
    scrolled = Math.max(scrolled, part > 0.999 ? 100 : part * 100);
    onAction();
  }
  // Without names that a page has added to all objects.
  const options = { __proto__: null, passive: true, capture: true, signal } as AddEventListenerOptions;
  for (const type of ['pointerdown', 'pointermove', 'keydown']) addEventListener(type, onAction, options);
  addEventListener('scroll', onScroll, options);
  for (const type of ['popstate', 'hashchange']) addEventListener(type, check, options);
  document.addEventListener('visibilitychange', check, options);
  // A touch screen has no way out by the upper edge.
  document.documentElement.addEventListener(
    'mouseleave',
    ({ clientY }) => {
      if (clientY > 0) return;
      hasLeft = true;
      check();
    },
    { signal },
  );
  signal.addEventListener('abort', () => clearTimeout(timer));
  onScroll();
  return { check };
}

/** Whether the rule must not be shown again. `byVisitor` and `inSession`: the ids that were shown. */
const wasShown = (
  { id, show: frequency = 'visitor' }: ProactiveRule,
  byVisitor: readonly string[] = [],
  inSession: readonly string[] = [],
): boolean =>
  (frequency === 'visitor' && byVisitor.includes(id)) || (frequency !== 'always' && inSession.includes(id));
