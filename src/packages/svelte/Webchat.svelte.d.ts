// The types of the component Webchat.svelte.
import type { PlatformError, SidedMessage, WebchatOptions } from '@platform-webchat/widget';
import type { Component } from 'svelte';

export interface WebchatProps extends WebchatOptions {
  /** Fills an element of this component instead of floating over the page. */
  inline?: boolean;
  /** Whether the window is open (`bind:open`). */
  open?: boolean | undefined;
  /** The class of the element of an inline chat. */
  class?: string;
  onmessage?: (message: SidedMessage) => void;
  /** The window was opened, and messages can be received. */
  onready?: () => void;
  onerror?: (error: PlatformError) => void;
}

declare const Webchat: Component<WebchatProps, Record<string, never>, 'open'>;
export default Webchat;
