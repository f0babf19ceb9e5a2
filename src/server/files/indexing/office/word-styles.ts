// Reads the styles of a .docx document: which ones are headings, and which ones hide their text.
import type { Archive } from './archive.ts';
import { attribute, isOn, readPart } from './xml.ts';

export interface Styles {
  /** The levels of headings by the ids of styles that are one. */
  levels: Map<string, number>;
  /** Whether a style hides its text or shows it, by the ids of styles that say so. */
  hidden: Map<string, boolean>;
}

interface Style {
  id: string;
  basedOn: string | undefined;
  level: number | undefined;
  isHidden: boolean | undefined;
}

/** The level of an outline from 0 to 8; 9 is text. */
export function levelOf(value: string | undefined): number | undefined {
  const level = Number(value);
  return value !== undefined && level >= 0 && level < 9 ? level + 1 : undefined;
}

/** Returns what the styles of a part say, also those of their ancestors. */
export async function readStyles(archive: Archive, part: string): Promise<Styles> {
  let style: Style | undefined;
  const styles = await readPart<Style>(archive, part, (emit) => ({
    open(name, attributes) {
      const value = attribute(attributes, 'val');
      if (name === 'style') {
        const id = attribute(attributes, 'styleId') ?? '';
        style = { id, basedOn: undefined, level: undefined, isHidden: undefined };
        emit(style);
      } else if (!style) return;
      else if (name === 'basedOn') style.basedOn = value;
      else if (name === 'outlineLvl') style.level = levelOf(value);
      else if (name === 'vanish') style.isHidden = isOn(attributes);
      else if (name === 'name') {
        const number = /^heading ([1-9])$/i.exec(value ?? '')?.[1];
        if (number) style.level = Number(number);
        else if (/^title$/i.test(value ?? '')) style.level = 1;
      }
    },
    close(name) {
      if (name === 'style') style = undefined;
    },
  }));
  const byId = new Map(styles.map((one) => [one.id, one]));
  return {
    levels: inherited(byId, ({ level }) => level),
    hidden: inherited(byId, ({ isHidden }) => isHidden),
  };
}

/** Returns the value of each style that has one, or the next of its ancestors. */
function inherited<T>(styles: Map<string, Style>, ownValue: (style: Style) => T | undefined): Map<string, T> {
  const values = new Map<string, T>();
  for (const id of styles.keys()) {
    let ancestor = styles.get(id);
    // The chain of a malformed document could have no end.
    for (let step = 0; ancestor && step < 10; step += 1) {
      const value = ownValue(ancestor);
      if (value !== undefined) {
        values.set(id, value);
        break;
      }
      ancestor = styles.get(ancestor.basedOn ?? '');
    }
  }
  return values;
}
