// `serve`: the server, in this process. Its flags, its help and its refusals are the server's own.
import type { Command } from './command.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Starts the server: all its settings are flags, too.',
  options: {},
  example: 'serve --port 3000 --data-dir ./data',
  // The one place where the command line meets the server: nothing else has to load it.
  takesAll: async (args, { env }) => (await import('../server/run.ts')).runServer(args, env),
};
