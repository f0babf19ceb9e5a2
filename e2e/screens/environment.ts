// The environment of the tests, with the fonts of the screens.
import '../support/machine/environment.ts';
import { join } from 'node:path';

if (!process.env.MACHINE) {
  process.env.FONTCONFIG_FILE = join(import.meta.dirname, 'fonts.conf');
  process.env.FONTCONFIG_PATH = join(import.meta.dirname, '../support/machine');
}
