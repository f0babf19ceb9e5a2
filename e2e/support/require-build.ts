// Runs before all end-to-end tests: without the built files every test would fail with an error that hides the cause.
import { existsSync } from 'node:fs';

/** A file of the server and one of the widget. */
const built = ['dist/node/src/server/main.js', 'dist/webchat/integrity.json'];

export default function requireBuild(): void {
  const missing = built.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`${missing.join(' and ')} not found: run npm run build first.`);
}
