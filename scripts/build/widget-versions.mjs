// Keeps the widget of each version in a separate folder, `dist/webchat/VERSION`, so that pages can pin a version.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const isVersion = (name) => /^\d+\.\d+\.\d+/.test(name);

const list = (folder) => {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
};

/** Deletes the results of an earlier build, except the widget of other versions. */
export function cleanDist(dist, version) {
  for (const name of list(dist)) {
    if (name !== 'webchat') rmSync(join(dist, name), { recursive: true });
  }
  for (const name of list(join(dist, 'webchat'))) {
    if (!isVersion(name) || name === version) rmSync(join(dist, 'webchat', name), { recursive: true });
  }
}

/**
 * Copies the built widget into the folder of its version. Links cannot be used, because `npm pack` would store them as
 * links.
 */
export function addVersion(dist, version) {
  const webchat = join(dist, 'webchat');
  for (const name of readdirSync(webchat).filter((one) => !isVersion(one))) {
    cpSync(join(webchat, name), join(webchat, version, name), { recursive: true });
  }
}
