// A value of any shape as people read it: labels and values, with the rest of long ones and the JSON on demand.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toJson } from '../../../client/core/json.ts';
import { toDrawable } from '../../chat/payloads/drawable.ts';
import { Icon } from '../../icon.tsx';
import { strings } from './strings.ts';
import { beginningOf, labelsOf, wordsOfValue } from './value-words.ts';

/** From Lucide (ISC): "chevron-down". */
const openPath = 'm6 9 6 6 6-6';

/** Entries of a list or an object that are shown at once. */
const firstEntries = 20;
/** Lists in lists below this depth are shown as JSON. */
const deepest = 4;

/** Characters of a value beside its label. */
const mostBeside = 32;

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Draws a value, and the JSON of an object on demand. */
export function Values({ value }: { value: unknown }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Value value={value} />
      {isNested(value) && (
        <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
          <summary>
            JSON
            <Icon path={openPath} />
          </summary>
          {isOpen && (
            <Whole label="JSON">{toDrawable(JSON.stringify(JSON.parse(toJson(value)), null, 2))}</Whole>
          )}
        </details>
      )}
    </>
  );
}

interface ValueProps {
  value: unknown;
  name?: string;
  label?: string | undefined;
  depth?: number;
}

/** Returns the text of a value; undefined if it is drawn as labels and values. */
function textOfValue(value: unknown, name?: string, depth = 0): string | undefined {
  if (!isNested(value)) return wordsOfValue(value, name);
  if (depth > deepest) return toDrawable(toJson(value));
  const items: unknown[] = Object.values(value);
  if (items.length === 0) return '–';
  const isShort = Array.isArray(value) && items.length <= firstEntries && !items.some(isNested);
  return isShort ? items.map((item) => wordsOfValue(item, name)).join('\n') : undefined;
}

function Value({ value, name, label, depth = 0 }: ValueProps) {
  const text = textOfValue(value, name, depth);
  return text === undefined ? (
    <Entries value={value as Record<string, unknown>} depth={depth} />
  ) : (
    <Words text={text} label={label} />
  );
}

function Entries({ value, depth }: { value: Record<string, unknown>; depth: number }) {
  const [most, setMost] = useState(firstEntries);
  const list = useRef<HTMLDListElement>(null);
  const names = Object.keys(value);
  const shown = names.slice(0, most);
  const labels = Array.isArray(value) ? shown.map((name) => wordsOfValue(Number(name) + 1)) : labelsOf(shown);
  return (
    <>
      <dl class="values" ref={list} tabIndex={-1}>
        {shown.map((name, index) => {
          const props = { value: value[name], name, label: labels[index], depth: depth + 1 };
          const text = textOfValue(value[name], name, depth + 1);
          return (
            <div data-wide={text === undefined ? 'list' : text.length > mostBeside}>
              <dt>
                <bdi>{labels[index]}</bdi>
              </dt>
              <dd>
                <Value {...props} />
              </dd>
            </div>
          );
        })}
      </dl>
      {names.length > most && (
        <More
          onClick={() => {
            // The button may be removed.
            list.current?.focus();
            setMost(most * firstEntries);
          }}
        />
      )}
    </>
  );
}

/** Texts with their labels. */
export function LabelledTexts({ rows }: { rows: readonly (readonly [label: string, text: string])[] }) {
  if (rows.length === 0) return null;
  return (
    <dl class="values">
      {rows.map(([label, text]) => (
        <div data-wide={text.length > mostBeside}>
          <dt dir="auto">{label}</dt>
          <dd dir="auto">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A text; of a long one the beginning, until the visitor wants all of it. */
function Words({ text, label }: { text: string; label: string | undefined }) {
  const [isWhole, setIsWhole] = useState(false);
  const beginning = beginningOf(text);
  if (isWhole)
    return (
      <Whole label={label ?? '…'} isFocused>
        {text}
      </Whole>
    );
  return (
    <span class="value-text" dir="auto">
      {beginning}
      {beginning !== text && (
        <>
          … <More onClick={() => setIsWhole(true)} />
        </>
      )}
    </span>
  );
}

const More = ({ onClick }: { onClick(): void }) => (
  <button type="button" class="more" onClick={onClick}>
    {strings.showRest}
  </button>
);

interface WholeProps {
  label: string;
  /** It is in the place of the button that was pressed. */
  isFocused?: boolean;
  children: string;
}

/** A text that scrolls if it is long. */
export function Whole({ label, isFocused = false, children }: WholeProps) {
  const box = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (isFocused) box.current?.focus();
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is not a part of a form
    <pre
      ref={box}
      class="value"
      dir="auto"
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
    >
      {children}
    </pre>
  );
}
