// A short sound for a new message. It is synthesized, so it needs no file and no policy of the page can block it.

let present: AudioContext | undefined;
/** Time of the context's clock, in seconds, before which no other sound starts. */
let notBefore = 0;
/** Seconds within which messages share one sound: several at once would be too loud. */
const gapSeconds = 0.1;

/** Milliseconds for which a tab keeps the other tabs from playing the sound of the same message. */
const claimMs = 5_000;

/**
 * Plays the sound of a message in one of the visitor's tabs. Browsers block sound before the visitor has clicked;
 * such a tab leaves the sound to another one.
 * @param messageId identifies the message in all tabs.
 */
export function playNotificationSound(messageId: string): void {
  if (navigator.userActivation?.hasBeenActive === false) return;
  if (present && present.currentTime < notBefore) return;
  // Pages without TLS have no locks: there each visible tab plays the sound.
  if (!navigator.locks) {
    if (document.visibilityState === 'visible') playNotes();
    return;
  }
  navigator.locks
    .request(`platform-webchat:sound:${messageId}`, { ifAvailable: true }, (lock) => {
      if (!lock) return undefined;
      playNotes();
      return new Promise<void>((release) => setTimeout(release, claimMs));
    })
    // Locks are refused in some frames.
    .catch(playNotes);
}

/** Two soft notes. */
function playNotes(): void {
  try {
    present ??= new AudioContext();
    const context = present;
    void context.resume();
    const start = context.currentTime;
    if (start < notBefore) return;
    notBefore = start + gapSeconds;
    [660, 880].forEach((hertz, i) => {
      const note = context.createOscillator();
      const volume = context.createGain();
      const at = start + i * 0.12;
      note.frequency.value = hertz;
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(0.08, at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.3);
      note.connect(volume).connect(context.destination);
      note.start(at);
      note.stop(at + 0.3);
    });
  } catch {
    // A failure to play is not an error.
  }
}
