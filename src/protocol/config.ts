// The words of the configuration: one table of fields from which values, defaults, checks, `data-` attributes, the
// documentation and the playground are made (SPEC "Webchat configuration"). No DOM, no I/O.

/** A contact or legal link in the header. */
export interface Link {
  title?: string;
  link?: string;
}

/** One form for each plural category of the language (`one`, `other`, …), or one text. */
export type Phrase = string | Record<string, string>;

/**
 * Every field of `config({configuration})`, all optional; omitted or blank ones fall back to the dashboard. The
 * comments are the documentation: docs/configuration.md and the playground show them, under these headings.
 */
export interface Configuration {
  // The bot
  /** Name shown in the header. */
  botName?: string;
  /** Address of the avatar image; without it, or when it cannot be loaded, the first letter of the name. */
  botAvatar?: string;
  /** Description of the bot, under its name. */
  botDescription?: string;
  /** Placeholder of the message input. */
  composerPlaceholder?: string;
  /** Text under the composer, Markdown: links, emphasis, code. The empty text removes it. */
  footer?: string;
  /** Prompts to click on while the visitor has written nothing. */
  starters?: string[];
  /** A message beside the launcher of a closed chat, for visitors who have not opened it yet. */
  proactiveMessage?: string;
  /** Seconds before it shows. */
  proactiveDelay?: number;

  // Looks
  /** Primary colour, HEX. Text and controls keep their contrast whatever it is. */
  color?: string;
  /** `auto` follows the visitor's system. */
  themeMode?: 'light' | 'dark' | 'auto';
  /** `solid` fills with the primary colour, `soft` with a tint of it. */
  variant?: 'solid' | 'soft';
  /** `solid` fills the header with the primary colour; under `glass` messages shine through. */
  headerVariant?: 'solid' | 'glass';
  /** Border radius; values outside are clamped. */
  radius?: number;
  /**
   * `inter`, `rubik`, `ibm plex sans` and `fira code` come with the chat; any other name is loaded from Google Fonts,
   * which tells Google the visitor's address. Unless it is set nothing is loaded: Inter where the visitor has it, else
   * the font of their system.
   */
  fontFamily?: string;
  /** Address of the picture in the launcher. */
  fabImage?: string;
  /** Custom CSS, applied inside the widget after everything else. */
  additionalStylesheet?: string;
  /** Address of a style sheet, applied inside the widget before `additionalStylesheet`. */
  additionalStylesheetUrl?: string;

  // Place and language
  /** Side of the page; without it, the side where lines end. */
  position?: 'left' | 'right';
  /** Pixels from the edges of the page. */
  offset?: number;
  /** Stacking order; without it the chat is above everything, in the top layer of the browser. */
  zIndex?: number;
  /** `false` leaves out the launcher: open the chat by an element with `data-platform-open`, or by `platform.open()`. */
  launcher?: boolean;
  /** Language of the chat, such as `de`; without it the page's, else the browser's. */
  locale?: string;
  /** Words that replace ours, by their key. */
  strings?: Record<string, Phrase>;

  // Abilities
  /** Visitors may send files. */
  allowFileUpload?: boolean;
  /** Visitors may rate answers. */
  feedbackEnabled?: boolean;
  /** A short sound for each new message of the bot, which the visitor can switch off. */
  soundEnabled?: boolean;
  /**
   * Pictures in Markdown that another server holds: an address can carry away what a tricked bot was told. `click`
   * shows them when the visitor asks, `listed` loads those of `imageOrigins`, `all` loads all.
   */
  remoteImages?: 'click' | 'listed' | 'all';
  /** Origins for `listed`, separated by spaces; the page's and the chat's own always count. */
  imageOrigins?: string;
  /** Where the browser keeps the conversation: for good, or until the tab is closed. */
  storageLocation?: 'localStorage' | 'sessionStorage';
  /** Admin key for enhanced permissions. */
  adminKey?: string;
  /** Another spelling of `adminKey`. */
  adminSecret?: string;
  /** @deprecated Unsupported; use `footer`. */
  showPoweredBy?: boolean;

  // Contact
  /** Shown in the contact card of the header, as the four below. A link is `tel:`, or a number. */
  phone?: Link;
  /** A link is `mailto:`, or an address. */
  email?: Link;
  /** The site. */
  website?: Link;
  /** Terms of service. */
  termsOfService?: Link;
  /** Privacy policy. */
  privacyPolicy?: Link;
}

export type FieldName = keyof Configuration;

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is object => typeof value === 'object' && !Array.isArray(value);

/**
 * What a value may be, by its name in the table. Besides these a kind is a range of numbers, `0.5..4`, or the list of
 * the words it takes, `light|dark`.
 */
const kinds: Record<string, (value: unknown) => boolean> = {
  'a text': isText,
  // Here the empty text is a value of its own, and not a blank that falls back.
  'a text or nothing': isText,
  'true or false': (value) => typeof value === 'boolean',
  'a HEX colour': (value) => isText(value) && /^#([\da-f]{3}){1,2}$/i.test(value),
  // A relative address is fine; a scheme other than http and https is not.
  'a web address': (value) => isText(value) && /^(https?:|[^:]*($|[/?#]))/i.test(value.trim()),
  '{title, link}': isObject,
  'a list of texts': (value) => Array.isArray(value) && value.every(isText),
  'an object of texts': isObject,
};

/**
 * The table: what each field must be, and its default. Defaults are those of existing widgets; a field without one is
 * off until somebody sets it.
 */
export const fields = {
  botName: ['a text', 'Bot'],
  botAvatar: ['a web address'],
  botDescription: ['a text'],
  composerPlaceholder: ['a text', 'Type your message...'],
  footer: ['a text or nothing', 'Powered by Platform Webchat'],
  starters: ['a list of texts'],
  proactiveMessage: ['a text'],
  proactiveDelay: ['0..3600', 10],
  color: ['a HEX colour', '#3276EA'],
  themeMode: ['light|dark|auto', 'light'],
  variant: ['solid|soft', 'solid'],
  headerVariant: ['solid|glass', 'glass'],
  radius: ['0.5..4', 4],
  fontFamily: ['a text', 'inter'],
  fabImage: ['a web address'],
  additionalStylesheet: ['a text'],
  additionalStylesheetUrl: ['a web address'],
  position: ['left|right'],
  offset: ['0..400', 20],
  zIndex: ['0..2147483647'],
  launcher: ['true or false', true],
  locale: ['a text'],
  strings: ['an object of texts'],
  allowFileUpload: ['true or false'],
  feedbackEnabled: ['true or false', false],
  soundEnabled: ['true or false', false],
  remoteImages: ['click|listed|all', 'click'],
  imageOrigins: ['a text'],
  storageLocation: ['localStorage|sessionStorage', 'localStorage'],
  adminKey: ['a text'],
  adminSecret: ['a text'],
  showPoweredBy: ["left out: use 'footer'"],
  phone: ['{title, link}'],
  email: ['{title, link}'],
  website: ['{title, link}'],
  termsOfService: ['{title, link}'],
  privacyPolicy: ['{title, link}'],
} satisfies Record<FieldName, Row>;

type Row = [kind: string, byDefault?: unknown];

export const fieldNames = Object.keys(fields) as FieldName[];

type Defaulted = {
  [N in FieldName]: (typeof fields)[N] extends [string] ? never : N;
}[FieldName];

/** A configuration after all layers: what has a default is always there. */
export type ResolvedConfiguration = Configuration & Required<Pick<Configuration, Defaulted>>;

/** One wrong value: the field and, in words, what it must be. */
export interface ConfigurationProblem {
  field: string;
  message: string;
}

const own = <T extends object>(object: T, key: PropertyKey): key is keyof T => Object.hasOwn(object, key);

/** The bounds of a kind that is a range of numbers. */
export const boundsOf = (kind: string): [min: number, max: number] | undefined =>
  kind.includes('..') ? (kind.split('..').map(Number) as [number, number]) : undefined;

/** True for a value that falls back: undefined, null, `''` (unless the field says otherwise), an empty link. */
function isBlank(kind: string, value: unknown): boolean {
  if (value === '') return kind !== 'a text or nothing';
  return (value ?? undefined) === undefined || (kind === '{title, link}' && isEmptyLink(value));
}

const isEmptyLink = (value: unknown) => isObject(value) && !(value as Link).title && !(value as Link).link;

const isValid = (kind: string, value: unknown): boolean =>
  kinds[kind]
    ? kinds[kind](value)
    : boundsOf(kind)
      ? Number.isFinite(value)
      : kind.split('|').includes(value as string);

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
    const [min, max] = boundsOf(kind) ?? [];
    if (!isValid(kind, value))
      onProblem({ field: name, message: `Configuration: '${name}' must be ${kind}; it falls back.` });
    else result[name] = max ? Math.min(max, Math.max(min ?? 0, value as number)) : value;
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

/** The `data-` attribute of a field on the script tag: `botName` is `data-bot-name`. */
export const attributeOf = (name: FieldName): string =>
  `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Reads the configuration from the `dataset` of a script tag, where the browser has made `botName` of `data-bot-name`.
 * Lists and objects are written as JSON. Present without a value is true, as with attributes of HTML.
 */
export function readAttributes(dataset: Record<string, string | undefined>): Record<string, unknown> {
  const layer: Record<string, unknown> = {};
  for (const name of fieldNames) {
    const [kind]: Row = fields[name];
    const given = dataset[name];
    if (given === undefined) continue;
    layer[name] = given;
    if (isValid(kind, given)) continue;
    try {
      layer[name] = given || kind !== 'true or false' ? JSON.parse(given.trim() || '""') : true;
    } catch {
      // A wrong value, which is told as such.
    }
  }
  return layer;
}
