// What a browser must be able to do for the scenarios: go somewhere, run a function in the page, point, type. Engines
// differ behind this and nowhere else; it knows nothing of the chat.

/** A browser with one tab. */
export interface Driver {
  /** `Firefox 153.7`. */
  readonly version: string;
  /** Resolves when the page has loaded. */
  goto(url: string): Promise<void>;
  /** Runs a function in the page. It travels as its text: it sees its arguments and the page, and nothing else. */
  evaluate<R, A extends unknown[]>(run: (...args: A) => R, ...args: A): Promise<Awaited<R>>;
  /** Presses the main button of the mouse at this place of the viewport. */
  click(x: number, y: number): Promise<void>;
  /** Types these characters on the keyboard. */
  type(text: string): Promise<void>;
  /** Presses one key, with Shift or Control if it says so. */
  press(key: Key): Promise<void>;
  /** Chooses files of this machine in the file input that `find` gives, as its dialog would. */
  choose(find: () => HTMLInputElement | null | undefined, paths: string[]): Promise<void>;
  /** Makes the viewport this large, or as near to it as the browser's own window allows. */
  resize(width: number, height: number): Promise<void>;
  /** What the tab shows, as PNG. */
  screenshot(): Promise<Uint8Array>;
  /** Ends the browser, and all that was started for it. */
  close(): Promise<void>;
}

/** The keys that scenarios press, by their DOM names. */
export type KeyName = 'Enter' | 'Tab' | 'Escape' | 'ArrowUp' | 'Home' | 'v';
export type Key = KeyName | `${'Shift' | 'Control'}+${KeyName}`;

/** A key and what is held down with it. */
export function keysOf(key: Key): { held: 'Shift' | 'Control' | undefined; name: KeyName } {
  const parts = key.split('+');
  return {
    held: parts.length > 1 ? (parts[0] as 'Shift' | 'Control') : undefined,
    name: parts.at(-1) as KeyName,
  };
}
