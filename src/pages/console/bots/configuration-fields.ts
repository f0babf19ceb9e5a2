// The fields of the configuration for people: their groups, labels and help. A test requires each field here.
import type { FieldName } from '../../../protocol/page-api/config.ts';
import { t } from '../../ui/texts.ts';

export interface FieldLabel {
  name: FieldName;
  label: string;
  help?: string;
  /** The names of the values of a choice. */
  choices?: Record<string, string>;
  /** A text of several lines. */
  isLong?: boolean;
  placeholder?: string;
}

export interface FieldGroup {
  id: string;
  title: string;
  fields: FieldLabel[];
}

/** The reasons for fields that have no control in "Appearance". */
export const withoutControl: Partial<Record<FieldName, string>> = {
  preChatForm: 'A list of fields, which "People" edits.',
  deleteData: 'In "Privacy".',
  termsOfService: 'In "Privacy".',
  privacyPolicy: 'In "Privacy".',
  adminKey: 'A secret, which is never stored.',
  adminSecret: 'A secret, which is never stored.',
  showPoweredBy: 'Without effect; the text below the entry replaces it.',
  proactive: 'Rules with conditions, which developers write; they stay as they are stored.',
  pushWorker: 'A file that developers put on the site; it stays as it is stored.',
  webmcp: 'For developers, whose page offers tools; it stays as it is stored.',
  mergeAnonymous: 'For developers, whose page identifies visitors; it stays as it is stored.',
};

/** The groups in the order of the screen. A function, because the language is chosen later. */
export const fieldGroups = (): FieldGroup[] => [
  {
    id: 'bot',
    title: t('Name and texts'),
    fields: [
      { name: 'botName', label: t('Name in the chat'), help: t('Empty: the name of the bot.') },
      {
        name: 'botAvatar',
        label: t('Picture'),
        help: t('The web address of a square picture. Without it visitors see the first letter of the name.'),
        placeholder: 'https://www.example.com/logo.png',
      },
      { name: 'botDescription', label: t('Description below the name') },
      {
        name: 'composerPlaceholder',
        label: t('Text in the empty message field'),
        help: t('Empty: a text in the language of the visitor.'),
      },
      {
        name: 'footer',
        label: t('Text below the message field'),
        help: t(
          'May contain links, such as [Terms](https://www.example.com/terms). Empty: nothing is shown.',
        ),
      },
      {
        name: 'aiNotice',
        label: t('Tell visitors that an AI answers'),
        help: t('Some countries require it.'),
      },
      {
        name: 'starters',
        label: t('Suggested questions'),
        help: t('One in each line. Visitors click one instead of writing.'),
        isLong: true,
      },
    ],
  },
  {
    id: 'looks',
    title: t('Colors and shapes'),
    fields: [
      { name: 'color', label: t('Main color'), help: t('Texts stay readable with every color.') },
      {
        name: 'themeMode',
        label: t('Light or dark'),
        choices: {
          light: t('Always light'),
          dark: t('Always dark'),
          auto: t('As the visitor has set the device'),
          page: t('As your page is'),
        },
      },
      {
        name: 'variant',
        label: t('Use of the main color'),
        choices: { solid: t('Strong'), soft: t('Soft') },
      },
      {
        name: 'headerVariant',
        label: t('Top of the chat'),
        choices: { solid: t('In the main color'), glass: t('Translucent') },
      },
      {
        name: 'density',
        label: t('Space between the parts'),
        choices: { comfortable: t('Normal'), compact: t('Little') },
      },
      { name: 'textSize', label: t('Size of the text in pixels') },
      { name: 'radius', label: t('Roundness of the corners') },
      {
        name: 'fontFamily',
        label: t('Font'),
        help: t(
          'Inter, Rubik, IBM Plex Sans and Fira Code are on your server. Any other font is loaded from Google, which then knows the IP addresses of your visitors.',
        ),
      },
      {
        name: 'fabImage',
        label: t('Picture on the chat button'),
        help: t('A web address. Empty: a speech bubble.'),
        placeholder: 'https://www.example.com/chat.png',
      },
      {
        name: 'additionalStylesheet',
        label: t('Own CSS'),
        help: t('For designers: rules that are applied inside the chat.'),
        isLong: true,
      },
      { name: 'additionalStylesheetUrl', label: t('Web address of a style sheet'), placeholder: 'https://' },
    ],
  },
  {
    id: 'place',
    title: t('Place and window'),
    fields: [
      {
        name: 'position',
        label: t('Side of the page'),
        choices: { left: t('Left'), right: t('Right') },
      },
      { name: 'offset', label: t('Distance from the edges of the page in pixels') },
      { name: 'offsetX', label: t('Distance from the side in pixels'), help: t('Empty: as above.') },
      { name: 'offsetY', label: t('Distance from the bottom in pixels'), help: t('Empty: as above.') },
      {
        name: 'avoid',
        label: t('Parts of your page that the chat must not cover'),
        help: t('CSS selectors, such as #cookie-banner.'),
        placeholder: '#cookie-banner',
      },
      {
        name: 'windowSize',
        label: t('Size of the window'),
        choices: { normal: t('Normal'), expanded: t('Large'), docked: t('At the side of the page') },
      },
      { name: 'expandable', label: t('Visitors can enlarge the window') },
      { name: 'dockable', label: t('Visitors can move the window to the side of the page') },
      { name: 'resizable', label: t('Visitors can drag the edges of the window') },
      {
        name: 'launcher',
        label: t('Show the chat button'),
        help: t('Without it your page needs an own button that opens the chat.'),
      },
      {
        name: 'zIndex',
        label: t('Layer of the chat'),
        help: t('A number, only if something of your page covers the chat. Empty: above everything.'),
      },
    ],
  },
  {
    id: 'language',
    title: t('Language and words'),
    fields: [
      {
        name: 'locale',
        label: t('Language of the chat'),
        help: t('Such as de or pt-BR. Empty: the language of your page, or else of the visitor.'),
        placeholder: 'de',
      },
      {
        name: 'strings',
        label: t('Own words'),
        help: t(
          'For each text of the chat one line: its name, =, and your text, such as send = Go. The documentation lists the names.',
        ),
        isLong: true,
        placeholder: 'send = Go',
      },
    ],
  },
  {
    id: 'start',
    title: t('Greeting'),
    fields: [
      {
        name: 'home',
        label: t('Show a start screen'),
        help: t('Before the conversation: a greeting, the last conversation and the suggested questions.'),
      },
      {
        name: 'proactiveMessage',
        label: t('Message beside the chat button'),
        help: t('For visitors who have not opened the chat yet. Empty: none.'),
        isLong: true,
      },
      { name: 'proactiveDelay', label: t('Seconds until this message is shown') },
      { name: 'soundEnabled', label: t('A short sound for each new message') },
    ],
  },
  {
    id: 'abilities',
    title: t('What visitors can do'),
    fields: [
      {
        name: 'conversationList',
        label: t('See earlier conversations'),
      },
      { name: 'feedbackEnabled', label: t('Rate answers with thumbs') },
      { name: 'regenerateEnabled', label: t('Ask for another answer') },
      { name: 'editEnabled', label: t('Change the last message') },
      { name: 'emojiPicker', label: t('Choose emoji') },
      {
        name: 'transcriptMail',
        label: t('Get the conversation by e-mail'),
        help: t('Works if the server sends e-mail.'),
      },
      { name: 'allowFileUpload', label: t('Send files') },
      { name: 'maxFiles', label: t('Files in one message at most') },
      { name: 'maxFileBytes', label: t('Size of one file in bytes at most'), help: t('5000000 are 5 MB.') },
      {
        name: 'fileTypes',
        label: t('Types of files'),
        help: t('Separated by commas. Empty: those that the server accepts.'),
        placeholder: 'image/png,image/jpeg,application/pdf',
      },
      {
        name: 'maxImageSide',
        label: t('Longest side of pictures in pixels'),
        help: t(
          'Larger pictures are scaled down before they are sent, which also removes the place where they were taken. 0: never.',
        ),
      },
      { name: 'voiceMessages', label: t('Send voice messages') },
      {
        name: 'dictation',
        label: t('Dictate messages'),
        help: t('The browser may send what is said to its vendor.'),
      },
    ],
  },
  {
    id: 'contact',
    title: t('Contact'),
    fields: [
      { name: 'phone', label: t('Telephone') },
      { name: 'email', label: t('E-mail') },
      { name: 'website', label: t('Website') },
    ],
  },
  {
    id: 'technical',
    title: t('Privacy and speed'),
    fields: [
      {
        name: 'storageLocation',
        label: t('The browser of the visitor remembers the conversation'),
        choices: {
          localStorage: t('For later visits'),
          sessionStorage: t('Until the tab is closed'),
          memory: t('Only on this page'),
        },
      },
      {
        name: 'sharePage',
        label: t('Show your team the page that the visitor is on'),
        help: t(
          'Only while the chat is connected; nothing of it is stored. Mention it in your privacy policy.',
        ),
        choices: { path: t('Its address without parameters'), full: t('Its whole address') },
      },
      {
        name: 'remoteImages',
        label: t('Pictures from other servers in answers'),
        help: t('Their addresses can leak data.'),
        choices: {
          click: t('After a click'),
          listed: t('From the listed servers at once'),
          all: t('At once'),
        },
      },
      {
        name: 'imageOrigins',
        label: t('Servers whose pictures are shown at once'),
        help: t('Separated by spaces.'),
        placeholder: 'https://images.example.com',
      },
      {
        name: 'prefetch',
        label: t('Load the chat in advance'),
        help: t('The chat opens without waiting. It is not loaded in advance for visitors who save data.'),
      },
    ],
  },
];
