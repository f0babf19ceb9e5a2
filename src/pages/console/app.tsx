// Draws the console of a member who has signed in.
import { render } from 'preact';
import type { SignedIn } from '../../protocol/types/session.ts';
import { useWantedLanguage } from '../ui/texts.ts';
import { ConsoleContext, createConsole, type Exits, useConsole } from './console.ts';
import { Shell } from './Shell.tsx';
import './style/console.css';

/** The console, which is drawn again in another language. */
function Drawn() {
  const { drawing } = useConsole();
  return <Shell key={drawing.value} />;
}

/** Draws the console in `root`, which it empties. Returns what removes it. */
export async function mountConsole(root: HTMLElement, signedIn: SignedIn, exits: Exits): Promise<() => void> {
  await useWantedLanguage();
  const console = createConsole(signedIn, exits);
  root.textContent = '';
  render(
    <ConsoleContext.Provider value={console}>
      <Drawn />
    </ConsoleContext.Provider>,
    root,
  );
  return () => {
    render(null, root);
    console.dispose();
  };
}
