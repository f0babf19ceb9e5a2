// How the live chat shows a field of the configuration: the value to begin with, other fields that it needs, and the view.
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
  textSize: 18,
  radius: 0.5,
  fontFamily: 'rubik',
  fabImage: media('icon.svg'),
  additionalStylesheet: '[part="window"] { border: 3px dashed #7b2d8e }',
  additionalStylesheetUrl: media('chat.css'),
  offset: 60,
  offsetX: 120,
  offsetY: 120,
  avoid: '.lines',
  zIndex: 10,
  locale: 'de',
  strings: { composerPlaceholder: 'Say hello …' },
  maxFiles: 2,
  maxFileBytes: 1_000_000,
  fileTypes: 'image/png,application/pdf',
  maxImageSide: 1_280,
  imageOrigins: 'https://images.example.com',
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

export interface FieldTrial {
  value: unknown;
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
    companions: companions[name] ?? {},
    isOpen: !closed.includes(name),
    isWide: wide.includes(name),
  };
}
