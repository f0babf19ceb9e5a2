#!/usr/bin/env node
// Entry point of the program `platform-webchat`: connects run.ts to the process.
import { runCli } from './run.ts';

const interrupt = new AbortController();
process.on('SIGINT', () => {
  // A second Ctrl-C ends the process immediately.
  if (interrupt.signal.aborted) process.exit(130);
  interrupt.abort();
});
// A reader that closes the pipe early (`| head`) is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const { stdin, stdout, stderr, env } = process;
process.exitCode = await runCli(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  signal: interrupt.signal,
});
