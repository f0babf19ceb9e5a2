// The entry point of the API reference page: mounts the app with the address of the server.
import { render } from 'preact';
import { App } from './App.tsx';
import './style/api-reference.css';

/** The address of the server that serves this page, ending in `/`. */
const base = new URL('../..', location.href).href;

render(<App base={base} />, document.body);
