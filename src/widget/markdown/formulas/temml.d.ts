// The modules of Temml that are used. The package declares only the whole of it, which is a quarter larger.
interface TemmlSettings {
  displayMode: boolean;
  annotate: boolean;
  strict: boolean;
  throwOnError: boolean;
  trust: boolean;
  maxSize: [number, number];
  maxExpand: number;
}

/** A node of its result: an element, a text, or a list of nodes. */
interface TemmlNode {
  type?: string;
  text?: string;
  attributes?: Record<string, unknown>;
  classes?: string[];
  style?: Record<string, unknown>;
  children?: TemmlNode[];
}

declare module 'temml/src/parseTree.js' {
  export default function parseTree(tex: string, settings: TemmlSettings): unknown;
}
declare module 'temml/src/buildMathML.js' {
  export default function buildMathML(
    tree: unknown,
    tex: string,
    style: unknown,
    settings: TemmlSettings,
  ): TemmlNode;
}
declare module 'temml/src/Settings.js' {
  export default class {
    constructor(settings: Partial<TemmlSettings>);
  }
}
declare module 'temml/src/Style.js' {
  export default class {
    constructor(style: { level: number; maxSize: [number, number] });
  }
}
declare module 'temml/src/functions.js' {
  const functions: Record<string, unknown>;
  export default functions;
}
declare module 'temml/src/macros.js' {
  const macros: Record<string, unknown>;
  export default macros;
}
