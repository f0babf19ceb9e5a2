// The door of the server's process: `node dist/node/src/server/main.js`. What runs is process/run.ts.
import { runServer } from './run.ts';

await runServer(process.argv.slice(2), process.env);
