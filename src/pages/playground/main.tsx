// The playground's page: mounts the app. Everything it needs lies beside it; nothing comes from elsewhere.
import { render } from 'preact';
import { App } from './App.tsx';
import './style.css';

render(<App />, document.body);
