// The memory of the rules of proactive messages until the tab is closed, or until the page is left.
import type { Widget } from '../../launcher-chat-interface.ts';

export interface Seen {
  shown?: string[];
  /** The visitor has dismissed a message: no other one is shown in this session. */
  isSilent?: boolean;
  /** This session is counted in the visits. */
  isCounted?: boolean;
}

export interface RuleMemory {
  read(): Seen;
  /** Merges fields. */
  write(fields: Seen): void;
  clear(): void;
}

/** Values until the page is left: with `storageLocation: 'memory'`, and when the browser blocks storage. */
const memories = new Map<string, Seen>();

export function createRuleMemory(widget: Widget): RuleMemory {
  const key = `${widget.storageKey} proactive`;
  const memory: RuleMemory = {
    read() {
      try {
        return { ...memories.get(key), ...JSON.parse(sessionStorage.getItem(key) ?? '{}') };
      } catch {
        return memories.get(key) ?? {};
      }
    },
    write(fields) {
      const merged = { ...memory.read(), ...fields };
      memories.set(key, merged);
      if (widget.configuration.storageLocation === 'memory') return;
      try {
        sessionStorage.setItem(key, JSON.stringify(merged));
      } catch {
        // Blocked or full: remembered until the page is left.
      }
    },
    clear() {
      memories.delete(key);
      try {
        sessionStorage.removeItem(key);
      } catch {
        // Blocked: nothing was stored.
      }
    },
  };
  return memory;
}
