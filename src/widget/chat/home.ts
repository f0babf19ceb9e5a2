// Whether the window shows the home screen in place of the conversation. Its components are a bundle of their own.
import type { Store } from './store/store.ts';

/** True while the home screen is shown, or will be when its code has loaded. */
export const isHome = ({ state }: Store): boolean => !!state.configuration.home && state.view === 'home';
