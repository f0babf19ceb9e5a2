#!/usr/bin/env node
// The program `platform-webchat`: arguments in, exit code out. What it does stands in run.ts; this alone knows the process.
import { runCli } from './run.ts';

const ending = new AbortController();
process.on('SIGINT', () => {
  // A second one means: now.
  if (ending.signal.aborted) process.exit(130);
  ending.abort();
});
// Who reads along may have seen enough (`| head`): that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const { stdin, stdout, stderr, env } = process;
process.exitCode = await runCli(process.argv.slice(2), { stdin, stdout, stderr, env, signal: ending.signal });
