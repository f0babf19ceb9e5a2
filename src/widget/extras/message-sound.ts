// Plays the sound for a message that has just arrived, unless the site or the visitor has switched it off.
import type { Row, Store } from '../chat/store/store.ts';
import type { Widget } from '../launcher-chat-interface.ts';
import { playNotificationSound } from './notification-sound.ts';

export function playMessageSound(widget: Widget, { state }: Store, { id, key, side }: Row): void {
  if (side === 'activity' || !state.configuration.soundEnabled || widget.storage.read().isMuted) return;
  playNotificationSound(id ?? key);
}
