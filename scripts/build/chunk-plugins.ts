// Changes of the widget's built files: options without a prototype, and imports that can be tried again.
import { type Plugin, parseAst } from 'vite';

/** Functions and constructors of browsers that read options. */
const readers = new Set(
  (
    'addEventListener removeEventListener attachShadow observe focus scrollTo scrollBy scrollIntoView animate Event CustomEvent ' +
    'InputEvent KeyboardEvent MouseEvent MutationObserver IntersectionObserver PerformanceObserver DateTimeFormat NumberFormat ' +
    'RelativeTimeFormat ListFormat PluralRules Collator Segmenter toLocaleString toLocaleDateString toLocaleTimeString Blob File ' +
    'MediaRecorder getUserMedia request share createPolicy structuredClone fetch Notification subscribe register query'
  ).split(' '),
);

interface SyntaxNode {
  type: string;
  start: number;
  callee?: { name?: string; property?: { name?: string } };
  arguments?: SyntaxNode[];
  properties?: { key?: { name?: string } }[];
}

/** Options of browsers' functions are written without a prototype, to which the page may have added names of options. */
export const ownOptions: Plugin = {
  name: 'own-options',
  renderChunk(code) {
    const places: number[] = [];
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { type, callee, arguments: args = [] } = node as SyntaxNode;
      const name = callee?.property?.name ?? callee?.name ?? '';
      if ((type === 'CallExpression' || type === 'NewExpression') && readers.has(name)) {
        for (const { type: kind, start, properties } of args)
          if (kind === 'ObjectExpression' && properties?.length && properties[0]?.key?.name !== '__proto__')
            places.push(start + 1);
      }
      for (const child of Object.values(node)) visit(child);
    };
    visit(parseAst(code));
    let changed = code;
    for (const place of places.sort((a, b) => b - a))
      changed = `${changed.slice(0, place)}__proto__:null,${changed.slice(place)}`;
    return changed;
  },
};

/**
 * A lazy bundle that has failed gets another address when it is needed again, because browsers remember that a module has failed.
 * A fragment is not sent: the file is requested as before.
 */
export const retriedImports: Plugin = {
  name: 'retried-imports',
  renderChunk(code) {
    const calls = /\bimport\((?=["'`]\.\/)/g;
    if (!calls.test(code)) return undefined;
    const retry = `const failedImports={__proto__:null};function retriedImport(address){return import(address+(failedImports[address]||"")).catch(
      error=>{failedImports[address]=(failedImports[address]||"#")+1;throw error})}`;
    return `${code.replace(calls, 'retriedImport(')}\n${retry}`;
  },
};
