// How the live chat shows a field of the configuration: the value to begin with, other fields that it needs, and the view.

import type { Payload } from '../../../protocol/message.ts';
import type { Configuration, FieldName } from '../../../protocol/page-api/config.ts';
import { fields } from '../../../protocol/page-api/config-layers.ts';
import { flag } from '../../../protocol/page-api/field-kinds.ts';

type Values = { [Name in FieldName]?: Configuration[Name] };

/** Values of fields that are neither true or false nor one of a few words. */
const samples = (media: (name: string) => string): Values => ({
  botName: 'Ada',
  botAvatar: media('photo.svg'),
  botDescription: 'Answers within a minute',
  composerPlaceholder: 'Ask about your order …',
  footer: 'By writing you accept our [terms](https://example.com/terms).',
  pushWorker: '/worker.js',
  starters: ['Where is my order?', 'How do I return it?'],
  home: {
    title: 'Hello!',
    text: 'How can we help?',
    links: [{ title: 'Opening hours', link: 'https://example.com/' }],
  },
  preChatForm: {
    text: 'Tell us who you are.',
    name: 'required',
    email: 'optional',
    topics: ['Order', 'Return'],
  },
  proactiveMessage: 'Questions? We are here.',
  proactiveDelay: 1,
  proactive: [
    { id: 'welcome', text: 'Questions about the prices?', show: 'always', when: { delaySeconds: 1 } },
  ],
  color: '#7b2d8e',
  density: 'compact',
  textSize: 18,
  radius: 0.5,
  fontFamily: 'rubik',
  fabImage: media('icon.svg'),
  additionalStylesheet: '[part="window"] { border: 3px dashed #7b2d8e }',
  additionalStylesheetUrl: media('chat.css'),
  offset: 60,
  offsetX: 120,
  offsetY: 120,
  avoid: '.cards',
  zIndex: 10,
  locale: 'de',
  strings: { placeholder: 'Say hello …' },
  maxFiles: 2,
  maxFileBytes: 1_000_000,
  fileTypes: 'image/png,application/pdf',
  maxImageSide: 1_280,
  imageOrigins: 'https://images.example.com',
  remoteImages: 'listed',
  storageLocation: 'memory',
  adminKey: 'a-key',
  adminSecret: 'a-key',
  phone: { title: 'Call us', link: 'tel:+3112345678' },
  email: { title: 'Write to us', link: 'mailto:help@example.com' },
  website: { title: 'Our site', link: 'https://example.com/' },
  termsOfService: { title: 'Terms', link: 'https://example.com/terms' },
  privacyPolicy: { title: 'Privacy', link: 'https://example.com/privacy' },
});

/** Other fields without which a field shows nothing. */
const companions: { [Name in FieldName]?: Configuration } = {
  proactiveMessage: { proactiveDelay: 1 },
  proactiveDelay: { proactiveMessage: 'Questions? We are here.' },
  maxFiles: { allowFileUpload: true },
  maxFileBytes: { allowFileUpload: true },
  fileTypes: { allowFileUpload: true },
  maxImageSide: { allowFileUpload: true },
  imageOrigins: { remoteImages: 'listed' },
};

/** Fields of the launcher and of messages beside it: the chat is closed at first. */
const closed: readonly FieldName[] = [
  ...([
    'fabImage',
    'proactiveMessage',
    'proactiveDelay',
    'proactive',
    'launcher',
    'prefetch',
    'position',
  ] as const),
  ...(['offset', 'offsetX', 'offsetY', 'avoid', 'zIndex'] as const),
];
/** Fields of the place and the size of the window, which differ only on a wide page: the page is shown smaller. */
const wide: readonly FieldName[] = ['windowSize', 'expandable', 'dockable', 'resizable'];

const menu = 'Open the menu of the chat (three dots).';
const attach = 'Press + in the chat, and choose files.';
const pageOnly = 'Nothing of it shows in the window:';
/** Something to do for fields that show nothing by themselves, or the reason why there is nothing to see. */
const hints: { [Name in FieldName]?: string } = {
  pushWorker: `${pageOnly} a visitor who waits for a person is asked whether notifications may be shown.`,
  conversationList: `${menu} Its command for earlier conversations is missing.`,
  deleteData: menu,
  transcriptMail: `${menu} The command needs a server that sends mails.`,
  maxFiles: attach,
  maxFileBytes: attach,
  fileTypes: attach,
  maxImageSide: `${attach} Larger pictures are made smaller before they are sent.`,
  expandable: menu,
  dockable: menu,
  resizable: 'Drag an edge of the window.',
  zIndex: `${pageOnly} it decides about elements of your page at the same place.`,
  launcher: 'There is no launcher. The button of the page opens the chat.',
  regenerateEnabled: 'Write something: the answer gets a button for another one.',
  editEnabled: 'Write something, and point at your message.',
  soundEnabled: 'Write something, and listen.',
  remoteImages: 'The picture is of a server that is not listed: it is loaded after a click.',
  imageOrigins: 'The picture is of another origin than the listed one: it is loaded after a click.',
  storageLocation: `${pageOnly} it decides how long the browser keeps the conversation. This chat keeps nothing.`,
  mergeAnonymous: `${pageOnly} it decides about messages from before the page has identified the visitor.`,
  sharePage: `${pageOnly} your team sees the page in the inbox.`,
  prefetch: `${pageOnly} it decides when the code of the chat is loaded.`,
  webmcp: `${pageOnly} it needs a browser that has WebMCP.`,
  adminKey: `${pageOnly} it is sent with requests.`,
  adminSecret: `${pageOnly} it is sent with requests.`,
};

const greeting: Payload = { type: 'text', text: 'Hello! This is a live chat. Write something.' };
const remoteImage: Payload = {
  type: 'markdown',
  markdown: 'A picture of another server:\n\n![A bicycle](https://pictures.example.net/bicycle.png)',
};
/** First messages of fields that need others than a greeting. */
const firstPayloads: { [Name in FieldName]?: Payload } = {
  remoteImages: remoteImage,
  imageOrigins: remoteImage,
};

export interface FieldTrial {
  value: unknown;
  /** A sentence beside the control. */
  hint?: string | undefined;
  payloads: Payload[];
  companions: Configuration;
  isOpen: boolean;
  isWide: boolean;
}

/** @param root an address in the folder of the site, which contains `media/` */
export function fieldTrial(name: FieldName, root: string): FieldTrial {
  const [kind, byDefault] = fields[name];
  const value =
    samples((file) => new URL(`media/${file}`, root).href)[name] ??
    (kind === flag ? !byDefault : kind.values?.find((word) => word !== byDefault));
  return {
    value,
    hint: hints[name],
    payloads: [firstPayloads[name] ?? greeting],
    companions: companions[name] ?? {},
    isOpen: !closed.includes(name),
    isWide: wide.includes(name),
  };
}
