// The words of the configuration: one table of fields from which values, defaults, checks, `data-` attributes, the
// documentation and the playground are made. It stands in two parts, by the bundle that
// needs them. No DOM, no I/O.

import {
  type ConfigurationProblem,
  color,
  flag,
  isBlank,
  type Kind,
  type Link,
  link,
  noField,
  object,
  readValue,
  removable,
  text,
  texts,
  unsupported,
  url,
} from './field-kinds.ts';

/** One form for each plural category of the language (`one`, `other`, …), or one text. */
export type Phrase = string | Record<string, string>;

/**
 * Every field of `config({configuration})`, all optional; omitted or blank ones fall back to the dashboard. The
 * comments are the documentation: docs/reference/configuration.md and the playground show them, under these headings.
 */
export interface Configuration {
  // The bot
  /** Name shown in the header. */
  botName?: string;
  /** Address of the avatar image; without it, or when it cannot be loaded, the first letter of the name. */
  botAvatar?: string;
  /** Description of the bot, under its name. */
  botDescription?: string;
  /** Placeholder of the message input; without it, words of the language. */
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

/** What a field must be, and its default; without a default it is off until somebody sets it. */
type Row = readonly [kind: Kind, byDefault?: unknown];
export type FieldTable = { [N in FieldName]?: Row };

/** What the launcher needs, on every page view. Defaults are those of existing widgets. */
export const shellFields = {
  color: [color, '#3276EA'],
  themeMode: [{ words: ['light', 'dark', 'auto'] }, 'light'],
  variant: [{ words: ['solid', 'soft'] }, 'solid'],
  radius: [{ min: 0.5, max: 4 }, 4],
  fontFamily: [text],
  fabImage: [url],
  additionalStylesheet: [text],
  additionalStylesheetUrl: [url],
  position: [{ words: ['left', 'right'] }],
  offset: [{ min: 0, max: 400 }, 20],
  zIndex: [{ min: 0, max: 2147483647 }],
  launcher: [flag, true],
  locale: [text],
  strings: [object],
  proactiveMessage: [text],
  proactiveDelay: [{ min: 0, max: 3600 }, 10],
  storageLocation: [{ words: ['localStorage', 'sessionStorage'] }, 'localStorage'],
} as const satisfies FieldTable;

/** What the window needs: it comes with the chat, and is checked when the chat is there. */
export const chatFields = {
  botName: [text, 'Bot'],
  botAvatar: [url],
  botDescription: [text],
  headerVariant: [{ words: ['solid', 'glass'] }, 'glass'],
  // Its default is a word of each language.
  composerPlaceholder: [text],
  footer: [removable, 'Powered by Platform Webchat'],
  starters: [texts],
  allowFileUpload: [flag],
  feedbackEnabled: [flag, false],
  soundEnabled: [flag, false],
  remoteImages: [{ words: ['click', 'listed', 'all'] }, 'click'],
  imageOrigins: [text],
  adminKey: [text],
  adminSecret: [text],
  showPoweredBy: [unsupported],
  phone: [link],
  email: [link],
  website: [link],
  termsOfService: [link],
  privacyPolicy: [link],
} as const satisfies FieldTable;

/** The whole table. */
export const fields: Record<FieldName, Row> = /* @__PURE__ */ Object.assign({}, shellFields, chatFields);

/** Fields that nobody but the page itself may set or see: servers, bots and addresses leave them out. */
export const secretFields: readonly FieldName[] = ['adminKey', 'adminSecret'];

export const fieldNames = /* @__PURE__ */ Object.keys(fields) as FieldName[];

type Defaulted<T> = { [N in keyof T]: T[N] extends readonly [Kind] ? never : N }[keyof T];

/** One part of a configuration after all layers: what has a default is always there. */
export type Resolved<T> = Pick<Configuration, Extract<keyof T, FieldName>> &
  Required<Pick<Configuration, Extract<Defaulted<T>, FieldName>>>;

export type ShellConfiguration = Resolved<typeof shellFields>;
/** A whole configuration after all layers. */
export type ResolvedConfiguration = ShellConfiguration & Resolved<typeof chatFields>;

/**
 * The values of one layer (the dashboard, a bot): blank ones left out, numbers clamped, wrong or unknown ones left out
 * and told to `onProblem`.
 */
export function readLayer(layer: unknown, onProblem: (problem: ConfigurationProblem) => void): Configuration {
  const result: Record<string, unknown> = {};
  if (typeof layer !== 'object' || layer === null) return result;
  for (const [name, value] of Object.entries(layer)) {
    const row = Object.hasOwn(fields, name) ? fields[name as FieldName] : undefined;
    if (!row) onProblem(noField(name));
    else if (!isBlank(row[0], value)) {
      const read = readValue(name, row[0], value, onProblem);
      if (read !== undefined) result[name] = read;
    }
  }
  return result;
}

/** Puts layers over the defaults; the first layer wins. Layers come from `readLayer`. */
export function resolveConfiguration(...layers: Configuration[]): ResolvedConfiguration {
  const defaults = fieldNames.flatMap((name) => {
    const [, byDefault] = fields[name];
    return byDefault === undefined ? [] : [[name, byDefault]];
  });
  return Object.assign(Object.fromEntries(defaults), ...layers.reverse()) as ResolvedConfiguration;
}

/** The `data-` attribute of a field on the script tag: `botName` is `data-bot-name`. */
export const attributeOf = (name: FieldName): string =>
  `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
