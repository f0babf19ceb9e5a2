// A process with a wrong clock.
import { findProgram, provide } from '../../../scripts/browser.mjs';

/** The environment of a process whose clock is five minutes late, by libfaketime. */
export function wrongClock(): Record<string, string> {
  provide('faketime');
  const library = findProgram('faketime-library');
  if (!library) throw new Error('The library of faketime was not found.');
  return { LD_PRELOAD: library, FAKETIME: '-300', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}
