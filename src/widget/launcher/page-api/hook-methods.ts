// The methods with which the page adds functions of its own: hooks and blocks. The chat runs them.
import type { Hooks, Platform } from '../../../protocol/page-api/page-api.ts';
import { check } from './arguments.ts';

/** @param onChange called after a change: the transcript is drawn again. */
export function createHookMethods(
  all: Set<Hooks>,
  onChange: () => void,
): Pick<Platform, 'use' | 'registerBlock'> {
  const use = (given: object) => {
    // An object of its own, so that the same hooks can be added twice and removed once.
    const hooks = { __proto__: given } as Hooks;
    all.add(hooks);
    onChange();
    return () => {
      all.delete(hooks);
      onChange();
    };
  };
  return {
    use(given) {
      check('use', given, 'an object');
      return use(given);
    },
    registerBlock(block) {
      check('registerBlock', block, 'an object');
      return use({ block });
    },
  };
}
