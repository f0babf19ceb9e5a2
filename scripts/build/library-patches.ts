// Patches of Preact and signals for pages that have changed what these rely on. The build fails when a new version of a package
// is written differently: write its text here then.
import type { Plugin } from 'vite';

interface Change {
  before: string;
  after: string;
}

/**
 * By the end of the file's path. A page may have added names to the prototype of all objects: `dangerouslySetInnerHTML` would
 * empty every element, `value` make a property that cannot be defined. Another may have removed `queueMicrotask`.
 */
const patches: Record<string, Change[]> = {
  'preact/dist/preact.mjs': [
    // `createElement` reads the names of the given properties. An object that inherits from the empty one needs a third of the
    // memory of one without a prototype, which is a hash table.
    {
      before: 'o={},e=arguments.length;for(f in t)',
      after: 'o=Object.create(p),e=arguments.length;for(f of Object.keys(t||{}))',
    },
    // The properties of a new node are compared with those of the empty object.
    { before: '=Symbol.for("pv"),p={}', after: '=Symbol.for("pv"),p={__proto__:null}' },
    // The listeners that it has made already, by name.
    { before: 'c=0,a={},s=0;export', after: 'c=0,a={__proto__:null},s=0;export' },
    // An element has the names of all objects too: `class` is always an attribute.
    { before: '"width"!=t&&', after: '"class"!=t&&"width"!=t&&' },
    {
      before: '(i=n.debounceRendering)||queueMicrotask)',
      after: '(i=n.debounceRendering)||(self.queueMicrotask||setTimeout))',
    },
    { before: '(i||queueMicrotask)', after: '(i||(self.queueMicrotask||setTimeout))' },
    // The properties of its parent keep the first node of a component that has rendered again, with all that was in it.
    { before: 'u.__=u.__e=null,', after: 'u.__=u.__e=u.__k=null,' },
  ],
  '@preact/signals/dist/signals.module.js': ['constructor', 'type', 'props', '__b'].map((name) => ({
    before: `${name}:{configurable:`,
    after: `${name}:{__proto__:null,configurable:`,
  })),
  '@preact/signals-core/dist/signals-core.module.js': ['l', 'j'].map((name) => ({
    before: `Object.defineProperty(${name}.prototype,"value",{`,
    after: `Object.defineProperty(${name}.prototype,"value",{__proto__:null,`,
  })),
};

/** The files of which one has a patch: another condition of `exports` would choose one without. */
const patched = /\/node_modules\/(preact|@preact\/signals(-core)?)\/dist\//;

/** Applies the patches. */
export const libraryPatches: Plugin = {
  name: 'library-patches',
  enforce: 'pre',
  transform(code, id) {
    const [file = ''] = id.replaceAll('\\', '/').split('?');
    const name = Object.keys(patches).find((end) => file.endsWith(`/${end}`));
    if (!name && patched.test(file))
      throw new Error(`${file} has no patch: another file of its package has.`);
    let changed = code;
    for (const { before, after } of (name && patches[name]) || []) {
      if (code.split(before).length !== 2) throw new Error(`${name} does not have this once: ${before}`);
      changed = changed.replace(before, () => after);
    }
    return changed;
  },
};
