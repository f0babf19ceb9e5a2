// Announcements of formulas: their letters, numbers and signs instead of TeX. An approximation: visitors can read the formula
// itself in the message, as MathML. Pure.

/** Between `$$`, in `\[ \]`, in `\( \)`, and between `$` where they are not prices. */
const formulas =
  /\$\$([^$]{1,2000}?)\$\$|\\\[([\s\S]{1,2000}?)\\\]|\\\(([\s\S]{1,2000}?)\\\)|(?<![\w\\$])\$(?!\s)((?:\\.|[^$\\\n]){1,2000}?)(?<!\s)\$(?![\w$])/g;
/** Nested groups that are resolved. */
const maxLevels = 8;

/** Signs of commands. The name of any other command is read, such as that of a Greek letter. */
const signs: Record<string, string> = {
  times: '×',
  cdot: '·',
  div: '÷',
  pm: '±',
  mp: '∓',
  le: '≤',
  leq: '≤',
  ge: '≥',
  geq: '≥',
  ne: '≠',
  neq: '≠',
  approx: '≈',
  equiv: '≡',
  in: '∈',
  infty: '∞',
  sum: '∑',
  prod: '∏',
  int: '∫',
  partial: '∂',
  to: '→',
  rightarrow: '→',
  Rightarrow: '⇒',
  degree: '°',
  left: '',
  right: '',
  quad: '',
  displaystyle: '',
};

/** Replaces the formulas of a text. */
export const speakFormulas = (text: string): string =>
  text.replace(formulas, (whole, ...groups) => {
    const tex: string = groups.slice(0, 4).find((group) => group !== undefined);
    // Words between two prices are not a formula.
    return /\s/.test(tex) && whole[1] !== '$' && whole[0] === '$' && !/[\\^_=]/.test(tex)
      ? whole
      : speak(tex);
  });

function speak(tex: string): string {
  let text = tex.replace(/\\(?:begin|end)\s*\{[^{}]*\}/g, ' ').replace(/\\\\|&|\\[,;:! ]/g, ' ');
  for (let level = 0, before = ''; level < maxLevels && text !== before; level++) {
    before = text;
    text = text
      .replace(
        /\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g,
        (_, above, below) => `${group(above)} / ${group(below)}`,
      )
      .replace(/\\sqrt\s*(?:\[([^[\]{}]*)\])?\s*\{([^{}]*)\}/g, (_, root = '', of) => `${root}√${group(of)}`)
      .replace(/([\^_])\s*\{([^{}]*)\}/g, (_, mark, of) => mark + group(of))
      .replace(/\\(?:text|mathrm|mathbf|mathit|mathsf|operatorname)\*?\s*\{([^{}]*)\}/g, '$1')
      .replace(/(?<!(?:\\[dt]?frac|\\sqrt|\\[a-z]+\*?|[\^_\]}])\s*)\{([^{}]*)\}/g, '$1');
  }
  return text
    .replace(/\\([a-zA-Z]+)/g, (_, name: string) => ` ${Object.hasOwn(signs, name) ? signs[name] : name} `)
    .replace(/[{}\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A part of a formula; in brackets, if it has several. */
const group = (text: string): string =>
  /^\s*(?:\\?[a-zA-Z]+|\d+|.)\s*$/.test(text) ? text.trim() : `(${text.trim()})`;
