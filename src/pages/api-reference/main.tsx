// The page that shows the API: fetches the server's own document and mounts the app. Nothing comes from elsewhere.
import { render } from 'preact';
import { App } from './App.tsx';
import './style.css';

/** The address of the server that serves this page, ending in `/`. */
const base = new URL('../..', location.href).href;

render(<App base={base} />, document.body);
