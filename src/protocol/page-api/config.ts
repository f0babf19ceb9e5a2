// The fields of the configuration, in one table. Values, defaults, checks, `data-` attributes, the documentation and
// the playground are derived from it (config-layers.ts). It has five parts, because five bundles use different fields:
// the others are in file-fields.ts, host-page-fields.ts and visitor-fields.ts. No DOM, no I/O.
import type { Configuration } from './configuration.ts';
import {
  clearableText,
  color,
  distance,
  flag,
  type Kind,
  link,
  object,
  part,
  text,
  texts,
  unsupported,
  url,
} from './field-kinds.ts';

export type { Configuration } from './configuration.ts';

export type FieldName = keyof Configuration;

/** The kind of value of a field, and its default; without a default the field is unset. */
export type Row = readonly [kind: Kind, byDefault?: unknown];
export type FieldTable = { [N in FieldName]?: Row };

/** The fields that the launcher needs, on every page view. The defaults are those of existing widgets. */
export const launcherFields = {
  color: [color, '#3276EA'],
  themeMode: [{ values: ['light', 'dark', 'auto', 'page'] }, 'light'],
  variant: [{ values: ['solid', 'soft'] }, 'solid'],
  radius: [{ min: 0.5, max: 4 }, 4],
  fontFamily: [text],
  additionalStylesheet: [text],
  position: [{ values: ['left', 'right'] }],
  offset: [distance, 20],
  offsetX: [distance],
  offsetY: [distance],
  launcher: [flag, true],
  locale: [text],
  strings: [object],
  storageLocation: [{ values: ['localStorage', 'sessionStorage', 'memory'] }, 'localStorage'],
  prefetch: [flag, true],
} as const satisfies FieldTable;

/** The fields that the chat needs: they are part of its bundle, and checked after it has loaded. */
export const chatFields = {
  botName: [text, 'Bot'],
  botAvatar: [url],
  botDescription: [text],
  headerVariant: [{ values: ['solid', 'glass'] }, 'glass'],
  // Its default is a string of each catalogue.
  composerPlaceholder: [text],
  footer: [clearableText, 'Powered by Platform Webchat'],
  aiNotice: [flag, false],
  pushWorker: [url],
  starters: [texts],
  home: [part],
  preChatForm: [object],
  conversationList: [flag, true],
  deleteData: [flag, false],
  transcriptMail: [flag, false],
  allowFileUpload: [flag],
  emojiPicker: [flag, false],
  dictation: [flag, false],
  voiceMessages: [flag, false],
  feedbackEnabled: [flag, false],
  regenerateEnabled: [flag, false],
  editEnabled: [flag, false],
  soundEnabled: [flag, false],
  sharePage: [{ values: ['path', 'full'] }],
  remoteImages: [{ values: ['click', 'listed', 'all'] }, 'click'],
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

/** Fields that only the page itself may set or read: servers, bots and attributes omit them. */
export const secretFields: readonly FieldName[] = ['adminKey', 'adminSecret'];

type Defaulted<T> = { [N in keyof T]: T[N] extends readonly [Kind] ? never : N }[keyof T];

/** One part of a configuration after all layers: fields with a default are always defined. */
export type Resolved<T> = Pick<Configuration, Extract<keyof T, FieldName>> &
  Required<Pick<Configuration, Extract<Defaulted<T>, FieldName>>>;

export type LauncherConfiguration = Resolved<typeof launcherFields>;
/** A configuration after all layers, as the chat sees it: without the fields around its window. */
export type ResolvedConfiguration = LauncherConfiguration & Resolved<typeof chatFields>;
