// The fields of the configuration for what is around the window. Not in config.ts, because the host-page bundle contains
// them and the bundle of the chat does not.
import type { FieldTable } from './config.ts';
import { flag, rules, text, url } from './field-kinds.ts';

/** The fields that only the host-page bundle needs. It is loaded if one of them is set. */
export const hostPageFields = {
  fabImage: [url],
  additionalStylesheetUrl: [url],
  density: [{ values: ['comfortable', 'compact'] }],
  textSize: [{ min: 12, max: 24 }],
  zIndex: [{ min: 0, max: 2147483647 }],
  avoid: [text],
  windowSize: [{ values: ['normal', 'expanded', 'docked'] }, 'normal'],
  expandable: [flag, false],
  dockable: [flag, false],
  resizable: [flag, false],
  proactiveMessage: [text],
  proactiveDelay: [{ min: 0, max: 3600 }, 10],
  proactive: [rules],
  webmcp: [{ values: ['offer', 'use'] }],
} as const satisfies FieldTable;
