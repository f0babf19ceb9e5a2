// Sets fonts, time zone and language for the tests, their browsers and every process that they start (decision 167). `MACHINE=1`
// leaves those of the machine.
import { join } from 'node:path';

if (!process.env.MACHINE) {
  // `LC_ALL` alone would not do: GNU programs look at `LANGUAGE` first.
  for (const name of Object.keys(process.env)) if (/^(LANG|LC_)/.test(name)) delete process.env[name];
  process.env.LC_ALL = 'C.UTF-8';
  process.env.TZ = 'UTC';
  // Only fontconfig reads it: on macOS browsers use the fonts of the system.
  process.env.FONTCONFIG_FILE = join(import.meta.dirname, 'fonts.conf');
}
