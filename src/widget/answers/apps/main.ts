// The entry point of the apps bundle: apps of the bot, each in a frame of the sandbox origin. Loaded with the first app.
export { App } from './App.tsx';
