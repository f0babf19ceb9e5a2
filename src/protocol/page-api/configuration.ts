// The type of the configuration, whose comments are the documentation of its fields. Types only.
import type { Link } from './field-kinds.ts';
import type { ProactiveRule } from './proactive.ts';

/** One form for each plural category of the language (`one`, `other`, …), or one text. */
export type Phrase = string | Record<string, string>;

/** The content of the home screen, all optional. Longer texts are cut. */
export interface HomeScreen {
  /** The greeting, up to 200 characters. Default: the name of the bot. */
  title?: string;
  /** A text below it, up to 1,000 characters. */
  text?: string;
  /** `false` shows the `starters` only in the conversation. */
  starters?: boolean;
  /** Up to 10 pages, addresses for mail (`mailto:`) or calls (`tel:`), which open in a new tab. */
  links?: Link[];
}

/** One choice: a text, or a text with the value that the bot and the team get. */
export type FormOption = string | { label: string; value: string };

/** The form before a conversation, all optional. Texts are one line each, except `text`. */
export interface PreChatForm {
  /** A text above the fields, up to 1,000 characters. */
  text?: string;
  /** Asks for the name. */
  name?: 'optional' | 'required';
  /** Asks for the e-mail address. */
  email?: 'optional' | 'required';
  /** Up to 50 topics, of which the visitor chooses one. */
  topics?: FormOption[];
  /** Up to 10 more fields. `label`: what the visitor reads; default: `name`. With `options` it is a list of choices. */
  fields?: { name: string; label?: string; required?: boolean; options?: FormOption[] }[];
  /** A sentence, up to 1,000 characters, to which the visitor has to agree. */
  consent?: string;
}

/** The sizes of the window over the page. */
export type WindowSize = 'normal' | 'expanded' | 'docked';

/**
 * Every field of `config({configuration})`, all optional; omitted or blank ones fall back to the dashboard. The
 * comments are the documentation: docs/reference/configuration.md and the playground show them, under these headings.
 */
export interface Configuration {
  // The bot
  /** Name shown in the header. Default: the name that the bot has on the server. */
  botName?: string;
  /** Address of the avatar image. Without it, or if it cannot be loaded, the first letter of the name is shown. */
  botAvatar?: string;
  /** Description of the bot, shown below its name. */
  botDescription?: string;
  /** Placeholder of the message input. Default: a text in the language of the chat. */
  composerPlaceholder?: string;
  /** Text below the composer, in Markdown: links, emphasis, code. An empty text removes it. */
  footer?: string;
  /**
   * Shows a notice below the composer that an AI answers, except while a person answers. The server sets it for bots whose agent
   * is at an address, unless the configuration of the bot contains this field.
   */
  aiNotice?: boolean;
  /**
   * Address of the service worker of the site, relative to the page, which shows notifications about answers of people. With it, a
   * visitor who waits for a person can turn notifications on.
   */
  pushWorker?: string;
  /** Suggested messages to click on, shown until the visitor has written something. */
  starters?: string[];
  /**
   * The screen before the conversation: a greeting, the last conversation, the `starters` and links of the site. Nothing is
   * created on the server until the visitor begins. `true` shows the screen without a text or links of the site. An object
   * has `title`, `text`, `starters: false` and `links`, a list of up to 10 `{title, link}`, all optional.
   */
  home?: boolean | HomeScreen;
  /**
   * A form before the first message of a conversation. It asks for details that are not known yet: name, e-mail address, topic,
   * consent, fields of the site. Nothing is created on the server until it is filled in.
   */
  preChatForm?: PreChatForm;
  /** A message next to the launcher, for visitors who have not opened the chat yet. */
  proactiveMessage?: string;
  /** Seconds until the proactive message is shown. */
  proactiveDelay?: number;
  /** Proactive messages by rules, instead of `proactiveMessage`: text, frequency and conditions. */
  proactive?: ProactiveRule[];

  // Looks
  /** Primary color, HEX. Text and controls keep their contrast with any color. */
  color?: string;
  /** `auto` follows the visitor's system. `page` follows the page: its marks, its `color-scheme` or its background. */
  themeMode?: 'light' | 'dark' | 'auto' | 'page';
  /** `solid` fills with the primary color, `soft` with a tint of it. */
  variant?: 'solid' | 'soft';
  /** `solid` fills the header with the primary color, `glass` makes the header translucent. */
  headerVariant?: 'solid' | 'glass';
  /** `compact` has less space between and inside the elements. Targets for fingers keep their size. */
  density?: 'comfortable' | 'compact';
  /** Size of the text in pixels. The other sizes follow it. */
  textSize?: number;
  /** Border radius. Values outside of the range are clamped. */
  radius?: number;
  /**
   * `inter`, `rubik`, `ibm plex sans` and `fira code` are bundled. Any other name is loaded from Google Fonts, which
   * reveals the visitor's IP address to Google. Without a value, no font is loaded: the chat uses Inter if it is
   * installed, and otherwise the system font.
   */
  fontFamily?: string;
  /** Address of the image in the launcher. */
  fabImage?: string;
  /** Custom CSS, applied inside the widget after all other styles. */
  additionalStylesheet?: string;
  /** Address of a style sheet, applied inside the widget before `additionalStylesheet`. */
  additionalStylesheetUrl?: string;

  // Place and language
  /** Side of the page. Default: right, or left if the page is written from right to left. */
  position?: 'left' | 'right';
  /** Distance from the edges of the page, in pixels. */
  offset?: number;
  /** Distance from the side of the page, in pixels. Default: `offset`. */
  offsetX?: number;
  /** Distance from the bottom of the page, in pixels. Default: `offset`. */
  offsetY?: number;
  /**
   * Selector of elements of the page that the launcher and the window must not cover, such as a cookie banner or a bar at
   * the bottom. Launcher and window move up, by at most 40 % of the height of the page.
   */
  avoid?: string;
  /**
   * Size of the window until the visitor chooses another one. `expanded` is wider and as high as the page, `docked` fills
   * the side of the page. Small screens and embedded chats have only one size.
   */
  windowSize?: WindowSize;
  /** The menu of the window has a command that expands the window. The browser remembers the size. */
  expandable?: boolean;
  /** The menu of the window has a command that docks the window to the side of the page. */
  dockable?: boolean;
  /** Visitors can drag the edges of the window, or move them with the arrow keys. A double click resets the size. */
  resizable?: boolean;
  /** Stacking order. Default: above everything else, in the top layer of the browser. */
  zIndex?: number;
  /** `false` hides the launcher. Open the chat with an element with `data-platform-open`, or with `platform.open()`. */
  launcher?: boolean;
  /** Language of the chat, such as `de`. Default: the language of the page, otherwise of the browser. */
  locale?: string;
  /** Texts that replace the built-in texts, by key. */
  strings?: Record<string, Phrase>;

  // Abilities
  /** The menu and the home screen lead to the visitor's earlier conversations. Default: `true`. */
  conversationList?: boolean;
  /**
   * The menu of the window has a command that deletes the visitor with all data, on the server and in this browser. It asks
   * for confirmation.
   */
  deleteData?: boolean;
  /** The menu of the window has a command that sends the conversation by e-mail, if the server sends mails. */
  transcriptMail?: boolean;
  /** Visitors can send files. */
  allowFileUpload?: boolean;
  /** Largest number of files in one message. */
  maxFiles?: number;
  /** Largest size of one file in bytes, after images were scaled down. Default: the setting `MAX_FILE_BYTES`. */
  maxFileBytes?: number;
  /**
   * Media types of files, separated by commas, such as `image/png,application/pdf`. Default: the setting `FILE_TYPES`.
   * The server enforces these three limits if they are stored there.
   */
  fileTypes?: string;
  /**
   * Longest side of an image in pixels. The browser scales a larger JPEG, PNG or WebP image down before the upload, which
   * also removes its metadata, such as the place where it was taken. `0` sends all images unchanged.
   */
  maxImageSide?: number;
  /** A button in the composer that opens a list of emoji. The code of the list is loaded with the first click. */
  emojiPicker?: boolean;
  /**
   * A button in the composer that writes what the visitor says, in browsers that recognize speech. The browser may send the
   * sound to its vendor.
   */
  dictation?: boolean;
  /**
   * A button in the composer that records a voice message of at most 5 minutes, in browsers that can record sound. It is sent
   * as a file: the limits of files apply, and the server must accept files. `allowFileUpload` is not needed.
   */
  voiceMessages?: boolean;
  /** Visitors can rate answers. */
  feedbackEnabled?: boolean;
  /** A button below the newest answer asks for another one, which replaces it. */
  regenerateEnabled?: boolean;
  /** Visitors can edit their newest message. The bot then answers again, and the earlier answer is no longer shown. */
  editEnabled?: boolean;
  /** A short sound for each new message of the bot. The visitor can turn it off. */
  soundEnabled?: boolean;
  /**
   * When images of other servers in Markdown are loaded. Their addresses can leak data. `click`: after a click.
   * `listed`: images from `imageOrigins` immediately, others after a click. `all`: all immediately.
   */
  remoteImages?: 'click' | 'listed' | 'all';
  /** Origins for `listed`, separated by spaces. The origins of the page and of the chat are always included. */
  imageOrigins?: string;
  /**
   * Where the browser keeps the conversation: permanently, until the tab is closed, or until the page is left. With
   * `memory`, nothing is written to any storage of the browser.
   */
  storageLocation?: 'localStorage' | 'sessionStorage' | 'memory';
  /**
   * When the page identifies a visitor who was anonymous, the identified user continues the conversation. Otherwise the messages
   * stay with the anonymous user, and the identified user begins another conversation. Do not use it for browsers that several
   * people share.
   */
  mergeAnonymous?: boolean;
  /**
   * Shows your team on which page a visitor is, while the chat is connected: the address and the title. `path`: the address
   * without query and fragment. `full`: with them. Nothing of it is stored. It is not sent with `storageLocation: 'memory'`, and
   * not after `consent(false)`. Set it before the conversation begins. Default: nothing is sent.
   */
  sharePage?: 'path' | 'full';
  /**
   * Whether the code of the chat (30 KB) is fetched while the page is idle, so that a click waits for no request. It is never
   * fetched early if the visitor saves data or has a slow connection.
   */
  prefetch?: boolean;
  /**
   * Tools and agents of the browser ([WebMCP](https://webmachinelearning.github.io/webmcp/)), if it has them. `offer`: agents
   * of the browser can call the tools of `registerTool()`. `use`: the bot can call tools that other code of the page has
   * registered with the browser; the visitor is asked each time. Default: neither.
   */
  webmcp?: 'offer' | 'use';
  /** Admin key for enhanced permissions. */
  adminKey?: string;
  /** Another name of `adminKey`. */
  adminSecret?: string;
  /** @deprecated Unsupported; use `footer`. */
  showPoweredBy?: boolean;

  // Contact
  /** Shown in the contact card of the header, like the following four fields. A link is `tel:`, or a number. */
  phone?: Link;
  /** A link is `mailto:`, or an e-mail address. */
  email?: Link;
  /** Website. */
  website?: Link;
  /** Terms of service. */
  termsOfService?: Link;
  /** Privacy policy. */
  privacyPolicy?: Link;
}
