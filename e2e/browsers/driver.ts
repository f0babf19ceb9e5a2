// The interface between the scenarios and a browser: navigate, run a function in the page, point, type. Engines differ
// only behind this interface.

/** A browser with one tab. */
export interface Driver {
  /** `Firefox 153.7`. */
  readonly version: string;
  /** Resolves when the page has loaded. */
  goto(url: string): Promise<void>;
  /** Runs a function in the page. Its source text is sent, so it can use only its arguments and the page. */
  evaluate<R, A extends unknown[]>(run: (...args: A) => R, ...args: A): Promise<Awaited<R>>;
  /** Clicks with the main mouse button at this position of the viewport. */
  click(x: number, y: number): Promise<void>;
  /** Types these characters on the keyboard. */
  type(text: string): Promise<void>;
  /** Presses one key, with Shift or Control if the name contains it. */
  press(key: Key): Promise<void>;
  /** Chooses local files in the file input that `find` returns, as the file dialog would. */
  choose(find: () => HTMLInputElement | null | undefined, paths: string[]): Promise<void>;
  /** Sets the size of the viewport, or the closest one that the browser window allows. */
  resize(width: number, height: number): Promise<void>;
  /** A screenshot of the tab, as PNG. */
  screenshot(): Promise<Uint8Array>;
  /** Closes the browser and every process that was started for it. */
  close(): Promise<void>;
}

/** The keys that scenarios press, by their DOM names. */
export type KeyName = 'Enter' | 'Tab' | 'Escape' | 'ArrowUp' | 'Home' | 'v';
export type Key = KeyName | `${'Shift' | 'Control'}+${KeyName}`;
