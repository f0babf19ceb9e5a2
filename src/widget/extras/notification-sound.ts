// A short sound for a new message, made here: no file is loaded, and no policy of the page can refuse it.

let present: AudioContext | undefined;
/** Seconds of the context's clock before which nothing new sounds. */
let notBefore = 0;
/** Messages that come together sound as one: on top of one another they would be as loud as the device can be. */
const gap = 0.1;

/** Two soft notes. Silent where the browser has no sound, or does not allow it before the visitor has clicked. */
export function playNotificationSound(): void {
  try {
    present ??= new AudioContext();
    const context = present;
    void context.resume();
    const start = context.currentTime;
    if (start < notBefore) return;
    notBefore = start + gap;
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
    // No sound is no reason to fail.
  }
}
