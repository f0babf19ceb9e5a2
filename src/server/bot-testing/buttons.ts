// The buttons of messages: of cards and questions, and suggestions.
import type { Message } from '../../protocol/message.ts';
import type { Payload } from '../../protocol/payloads.ts';

/** The message that the widget sends when a visitor presses a button. */
interface Pressed {
  text: string;
  value?: string;
}

/** A button that asks for a person. */
interface Handoff {
  text: string;
  handoff: { messageId: string; reason: string };
}

/** The newest button with a label; undefined if there is none. `messages`: of the bot, oldest first. */
export function buttonOf(messages: readonly Message[], label: string): Pressed | Handoff | undefined {
  for (const { id, payload, parts = [] } of [...messages].reverse()) {
    const found = buttonsOf(payload, id).find((button) => button.text === label);
    if (found) return found;
    for (const part of parts) {
      const item = part.type === 'suggestions' && part.items.find((one) => one.label === label);
      if (item) return { text: item.value ?? item.label };
    }
  }
  return undefined;
}

function buttonsOf(payload: Payload, messageId: string): (Pressed | Handoff)[] {
  switch (payload.type) {
    case 'card':
      // A link leads to another page; the bot receives no event.
      return payload.actions.flatMap(({ action, label, value }): (Pressed | Handoff)[] => {
        if (action === 'handoff') return [{ text: label, handoff: { messageId, reason: value } }];
        return action === 'url' ? [] : [{ text: label, value }];
      });
    case 'carousel':
      return payload.items.flatMap((item) => buttonsOf(item, messageId));
    case 'choice':
    case 'dropdown':
      return payload.options.map(({ label, value }) => ({ text: label, value }));
    default:
      return [];
  }
}
