// The entry point of the playground: mounts the app.
import { render } from 'preact';
import { App } from './App.tsx';
import './style/playground.css';

render(<App />, document.body);
