// Rules of proactive messages: when which text is shown next to the launcher of a closed chat. No DOM, no I/O.

/** The conditions of a rule, which must hold together. */
export interface ProactiveConditions {
  /** Seconds since the start of the chat on this page. Default: 3. */
  delaySeconds?: number;
  /** Seconds without an action of the visitor. */
  idleSeconds?: number;
  /** Percent of the page that the visitor has scrolled through. */
  scrollPercent?: number;
  /** Path and query of the page; `*` matches any characters. One of several. */
  url?: string | string[];
  /** The mouse has left the page by its upper edge. */
  exit?: boolean;
  /** Whether the visitor was here in an earlier session of the browser. */
  returning?: boolean;
  /** Fields of `data` of the user that the page passed to `init()` or `create()`: the value, or one of several. */
  user?: Record<string, unknown>;
}

/** A proactive message. If the conditions of several hold, the first one in the list is shown. */
export interface ProactiveRule {
  /** Tells the messages apart that a visitor has seen. */
  id: string;
  /** The text, or one for each language. */
  text: string | Record<string, string>;
  /** How often a visitor sees it. Default: `visitor`, once. */
  show?: 'visitor' | 'session' | 'always';
  when?: ProactiveConditions;
}

const isNumber = (value: unknown) => Number.isFinite(value) && (value as number) >= 0;
const isFlag = (value: unknown) => typeof value === 'boolean';
const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Checks<T> = Record<keyof T, (value: unknown) => boolean>;

const conditions: Checks<ProactiveConditions> = {
  delaySeconds: isNumber,
  idleSeconds: isNumber,
  scrollPercent: isNumber,
  url: (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
  exit: isFlag,
  returning: isFlag,
  user: isRecord,
};

const parts: Checks<ProactiveRule> = {
  id: isText,
  text: (value) => isText(value) || (isRecord(value) && Object.values(value).every(isText)),
  show: (value) => ['visitor', 'session', 'always'].includes(value as string),
  when: (value) => isRecord(value) && hasOnly(value, conditions),
};

const hasOnly = <T>(value: Record<string, unknown>, checks: Checks<T>): boolean =>
  Object.entries(value).every(([name, part]) => Object.hasOwn(checks, name) && checks[name as keyof T](part));

/** Whether a value is a list of rules with different ids, without unknown names. */
export function isRules(value: unknown): value is ProactiveRule[] {
  if (!Array.isArray(value)) return false;
  const areRules = value.every(
    (rule) => isRecord(rule) && rule.id !== undefined && rule.text !== undefined && hasOnly(rule, parts),
  );
  return areRules && new Set(value.map(({ id }) => id)).size === value.length;
}
