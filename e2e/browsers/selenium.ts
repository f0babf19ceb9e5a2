// The parts of selenium-webdriver that its main module does not export. They are folders, which `require` resolves and
// `import` does not.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const { DriverService } =
  require('selenium-webdriver/remote') as typeof import('selenium-webdriver/remote.js');
export const { Executor, HttpClient } =
  require('selenium-webdriver/http') as typeof import('selenium-webdriver/http.js');
/** A WebDriver BiDi connection. The module itself is the class; its types name it `Index`. */
export const BidiConnection =
  require('selenium-webdriver/bidi') as typeof import('selenium-webdriver/bidi/index.js').Index;
