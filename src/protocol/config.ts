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
  /** Admin key for enhanced permissions. */
  adminKey?: string;
  phone?: Link;
  email?: Link;
  website?: Link;
  termsOfService?: Link;
  privacyPolicy?: Link;
}

export type FieldName = keyof Configuration;

interface Field {
  /** What a value must be; a list names the allowed words. */
  type: 'string' | 'boolean' | 'number' | 'color' | 'url' | 'link' | readonly string[];
  default?: unknown;
  /** Bounds that a number is clamped to. */
  min?: number;
  max?: number;
  /** True where `''` is a value of its own and not a blank that falls back. */
  emptyIsValue?: true;
}

/** The table. Defaults are those of existing widgets; a field without a default is off until somebody sets it. */
export const fields = {
  botName: { type: 'string', default: 'Bot' },
  botAvatar: { type: 'url' },
  botDescription: { type: 'string' },
  composerPlaceholder: { type: 'string', default: 'Type your message...' },
  color: { type: 'color', default: '#3276EA' },
  themeMode: { type: ['light', 'dark'], default: 'light' },
  variant: { type: ['solid', 'soft'], default: 'solid' },
  allowFileUpload: { type: 'boolean' },
  showPoweredBy: { type: 'boolean' },
  feedbackEnabled: { type: 'boolean', default: false },
  fabImage: { type: 'url' },
  radius: { type: 'number', default: 4, min: 0.5, max: 4 },
  fontFamily: { type: 'string', default: 'inter' },
  additionalStylesheet: { type: 'string' },
  additionalStylesheetUrl: { type: 'url' },
  storageLocation: { type: ['localStorage', 'sessionStorage'], default: 'localStorage' },
  footer: { type: 'string', default: 'Powered by Platform Webchat', emptyIsValue: true },
  headerVariant: { type: ['solid', 'glass'], default: 'glass' },
  adminKey: { type: 'string' },
  phone: { type: 'link' },
  email: { type: 'link' },
  website: { type: 'link' },
  termsOfService: { type: 'link' },
  privacyPolicy: { type: 'link' },
} as const satisfies Record<FieldName, Field>;

export const fieldNames = Object.keys(fields) as FieldName[];

type Defaulted = {
  [N in FieldName]: (typeof fields)[N] extends { default: unknown } ? N : never;
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
function isBlank(field: Field, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (value === '') return !field.emptyIsValue;
  if (field.type !== 'link' || typeof value !== 'object') return false;
  const { title, link } = value as Link;
  return !title && !link;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** What a value of each type must pass, and how that is said. */
const checks: Record<string, [test: (value: unknown) => boolean, must: string]> = {
  string: [isText, 'a string'],
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
  number: [Number.isFinite, 'a number'],
  color: [(value) => isText(value) && /^#([\da-f]{3}){1,2}$/i.test(value), "a HEX colour such as '#3276EA'"],
  // A relative address is fine; a scheme other than http and https is not.
  url: [
    (value) => isText(value) && /^(https?:|[^:]*($|[/?#]))/i.test(value.trim()),
    'an http or https address',
  ],
  link: [(value) => typeof value === 'object', 'an object {title, link}'],
};

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
    const field: Field = fields[name];
    if (isBlank(field, value)) continue;
    const { type, min = value, max = value } = field;
    const [test, must] = isText(type)
      ? (checks[type] as (typeof checks)[string])
      : [(word: unknown) => type.includes(word as string), type.join(' or ')];
    if (!test(value))
      onProblem({ field: name, message: `Configuration: '${name}' must be ${must}; it falls back.` });
    else
      result[name] =
        isText(type) && type === 'number'
          ? Math.min(max as number, Math.max(min as number, value as number))
          : value;
  }
  return result;
}

/** Puts layers over the defaults; the first layer wins. Layers come from `readLayer`. */
export function resolveConfiguration(...layers: Configuration[]): ResolvedConfiguration {
  const result: Partial<ResolvedConfiguration> = {};
  for (const name of fieldNames) {
    const field: Field = fields[name];
    const value = layers.find((layer) => layer[name] !== undefined)?.[name] ?? field.default;
    if (value !== undefined) Object.assign(result, { [name]: value });
  }
  return result as ResolvedConfiguration;
}

/** The `data-` attribute of a field on the script tag (`botName` is `data-bot-name`); undefined for link objects. */
export function attributeOf(name: FieldName): string | undefined {
  return fields[name].type === 'link'
    ? undefined
    : `data-${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;
}

/** Reads the configuration from attributes. `read` gives an attribute's text, or null where it is absent. */
export function readAttributes(read: (attribute: string) => string | null): Record<string, unknown> {
  const layer: Record<string, unknown> = {};
  for (const name of fieldNames) {
    const attribute = attributeOf(name);
    const text = attribute ? read(attribute) : null;
    if (text === null) continue;
    const { type }: Field = fields[name];
    if (type === 'number') layer[name] = text.trim() === '' ? undefined : Number(text);
    else if (type === 'boolean')
      layer[name] = text === '' || text === 'true' ? true : text === 'false' ? false : text;
    else layer[name] = text;
  }
  return layer;
}
