// The entry point of the server process: `node dist/node/src/server/main.js`.
import { runServer } from './run.ts';

await runServer(process.argv.slice(2), process.env);
