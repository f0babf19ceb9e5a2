// The words of the configuration: one table of fields from which types of values, defaults, checks and `data-`
// attributes are derived (SPEC "Webchat configuration"). No DOM, no I/O.

/** A contact or legal link in the header. */
export interface Link {
  title?: string;
  link?: string;
}

/** Every field of `config({configuration})`, all optional; omitted or blank ones fall back to the dashboard. */
export interface Configuration {
  /** Name shown in the header. */
  botName?: string;
  /** URL of the avatar image. */
  botAvatar?: string;
  /** Description of the bot, under its name. */
  botDescription?: string;
  /** Placeholder of the message input. */
  composerPlaceholder?: string;
  /** Primary colour, HEX. */
  color?: string;
  themeMode?: 'light' | 'dark';
  variant?: 'solid' | 'soft';
  /** Enables file upload. */
  allowFileUpload?: boolean;
  /** @deprecated Unsupported; use `footer`. */
  showPoweredBy?: boolean;
  /** Enables message feedback. */
  feedbackEnabled?: boolean;
  /** Enables a short sound for each new message of the bot, which the visitor can switch off. */
  soundEnabled?: boolean;
  /**
   * Pictures in Markdown that another server holds: an address can carry away what a tricked bot was told.
   * `click` shows them when the visitor asks, `listed` loads those of `imageOrigins`, `all` loads all.
   */
  remoteImages?: 'click' | 'listed' | 'all';
  /** Origins for `remoteImages: 'listed'`, separated by spaces; the page's and the chat's own always count. */
  imageOrigins?: string;
  /** URL of the image in the launcher. */
  fabImage?: string;
  /** Border radius, 0.5 to 4; values outside are clamped. */
  radius?: number;
  /** `inter`, `rubik`, `ibm plex sans`, `fira code`, or any Google Font. */
  fontFamily?: string;
  /** Custom CSS, applied inside the widget. */
  additionalStylesheet?: string;
  /** URL of a style sheet, applied inside the widget. */
  additionalStylesheetUrl?: string;
  storageLocation?: 'localStorage' | 'sessionStorage';
  /** Text under the composer; Markdown allowed; `''` removes it. */
  footer?: string;
  headerVariant?: 'solid' | 'glass';
  /** Language of the words, a BCP 47 tag such as `de` or `pt-BR`; else the page's, else the browser's. */
  locale?: string;
  /** Words in the place of ours, by key (docs/languages.md). */
  strings?: Record<string, string | Partial<Record<Intl.LDMLPluralRule, string>>>;
  /** Admin key for enhanced permissions. */
  adminKey?: string;
  phone?: Link;
  email?: Link;
  website?: Link;
  termsOfService?: Link;
  privacyPolicy?: Link;
}

export type FieldName = keyof Configuration;

/** What a value must be: said in words, tested, and for attributes read from text. */
interface Kind {
  must: string;
  test(value: unknown): boolean;
  /** Reads the text of an attribute; without it the text is the value. */
  read?(text: string): unknown;
  /** Brings a value into its bounds. */
  clamp?(value: never): unknown;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const text: Kind = { must: 'a string', test: isText };
/** Here `''` is a value of its own, and not a blank that falls back. */
const removable: Kind = { ...text };
const flag: Kind = {
  must: 'true or false',
  test: (value) => typeof value === 'boolean',
  // Present without a value is true, as with attributes of HTML.
  read: (value) => (value === '' || value === 'true' ? true : value === 'false' ? false : value),
};
const color: Kind = {
  must: 'a HEX colour',
  test: (value) => isText(value) && /^#([\da-f]{3}){1,2}$/i.test(value),
};
const url: Kind = {
  must: 'a web address',
  // A relative address is fine; a scheme other than http and https is not.
  test: (value) => isText(value) && /^(https?:|[^:]*($|[/?#]))/i.test(value.trim()),
};
const texts: Kind = {
  must: 'an object of texts',
  test: (value) => typeof value === 'object',
};
const link: Kind = { must: '{title, link}', test: (value) => typeof value === 'object' };
const oneOf = (...words: string[]): Kind => ({
  must: words.join(' or '),
  test: (value) => words.includes(value as string),
});
const between = (min: number, max: number): Kind => ({
  must: 'a number',
  test: Number.isFinite,
  read: (value) => (value.trim() ? Number(value) : undefined),
  clamp: (value: number) => Math.min(max, Math.max(min, value)),
});

/**
 * The table: what each field must be, and its default. Defaults are those of existing widgets; a field without one is
 * off until somebody sets it.
 */
export const fields = {
  botName: [text, 'Bot'],
  botAvatar: [url],
  botDescription: [text],
  // Its default is a word of each language.
  composerPlaceholder: [text],
  color: [color, '#3276EA'],
  themeMode: [oneOf('light', 'dark'), 'light'],
  variant: [oneOf('solid', 'soft'), 'solid'],
  allowFileUpload: [flag],
  showPoweredBy: [flag],
  feedbackEnabled: [flag, false],
  soundEnabled: [flag, false],
  remoteImages: [oneOf('click', 'listed', 'all'), 'click'],
  imageOrigins: [text],
  fabImage: [url],
  radius: [between(0.5, 4), 4],
  fontFamily: [text, 'inter'],
  additionalStylesheet: [text],
  additionalStylesheetUrl: [url],
  storageLocation: [oneOf('localStorage', 'sessionStorage'), 'localStorage'],
  footer: [removable, 'Powered by Platform Webchat'],
  headerVariant: [oneOf('solid', 'glass'), 'glass'],
  locale: [text],
  strings: [texts],
  adminKey: [text],
  phone: [link],
  email: [link],
  website: [link],
  termsOfService: [link],
  privacyPolicy: [link],
} satisfies Record<FieldName, [kind: Kind, byDefault?: unknown]>;

type Row = [kind: Kind, byDefault?: unknown];

export const fieldNames = Object.keys(fields) as FieldName[];

type Defaulted = {
  [N in FieldName]: (typeof fields)[N] extends [Kind] ? never : N;
}[FieldName];

/** A configuration after all layers: what has a default is always there. */
export type ResolvedConfiguration = Configuration & Required<Pick<Configuration, Defaulted>>;

/** One wrong value: the field and, in words, what it must be. */
export interface ConfigurationProblem {
  field: string;
  message: string;
}

const own = <T extends object>(object: T, key: PropertyKey): key is keyof T => Object.hasOwn(object, key);

/** True for a value that falls back: undefined, null, `''` (unless the field says otherwise), an empty link. */
function isBlank(kind: Kind, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (value === '') return kind !== removable;
  if (kind !== link || typeof value !== 'object') return false;
  const { title, link: address } = value as Link;
  return !title && !address;
}

/**
 * The values of one layer (a page's `config()`, the dashboard, attributes): blank ones left out, numbers clamped,
 * wrong or unknown ones left out and told to `onProblem`.
 */
export function readLayer(layer: unknown, onProblem: (problem: ConfigurationProblem) => void): Configuration {
  const result: Record<string, unknown> = {};
  if (typeof layer !== 'object' || layer === null) return result;
  for (const [name, value] of Object.entries(layer)) {
    if (!own(fields, name)) {
      onProblem({ field: name, message: `Configuration: there is no field '${name}'.` });
      continue;
    }
    const [kind]: Row = fields[name];
    if (isBlank(kind, value)) continue;
    if (kind.test(value)) result[name] = kind.clamp ? kind.clamp(value as never) : value;
    else onProblem({ field: name, message: `Configuration: '${name}' must be ${kind.must}; it falls back.` });
  }
  return result;
}

/** Puts layers over the defaults; the first layer wins. Layers come from `readLayer`. */
export function resolveConfiguration(...layers: Configuration[]): ResolvedConfiguration {
  const result: Record<string, unknown> = {};
  for (const name of fieldNames) {
    const [, byDefault]: Row = fields[name];
    if (byDefault !== undefined) result[name] = byDefault;
  }
  return Object.assign(result, ...layers.reverse()) as ResolvedConfiguration;
}

/** The `data-` attribute of a field on the script tag (`botName` is `data-bot-name`); undefined for link objects. */
export function attributeOf(name: FieldName): string | undefined {
  const [kind]: Row = fields[name];
  return kind === link || kind === texts
    ? undefined
    : `data-${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;
}

/** Reads the configuration from the `dataset` of a script tag, where the browser has made `botName` of `data-bot-name`. */
export function readAttributes(dataset: Record<string, string | undefined>): Record<string, unknown> {
  const layer: Record<string, unknown> = {};
  for (const name of fieldNames) {
    const [kind]: Row = fields[name];
    const given = dataset[name];
    if (given !== undefined) layer[name] = kind.read ? kind.read(given) : given;
  }
  return layer;
}
