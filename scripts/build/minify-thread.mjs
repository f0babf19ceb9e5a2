// A thread of minify.mjs: receives the code of a chunk and answers with the minified code.
import { parentPort } from 'node:worker_threads';
import { minify } from 'terser';

/** No unsafe options: they broke signals and `new`. */
const compress = { passes: 3, keep_fargs: false, sequences: false };

parentPort.on('message', async ({ code, isModule }) => {
  const result = await minify(code, { ecma: 2020, module: isModule, compress });
  parentPort.postMessage(result.code);
});
