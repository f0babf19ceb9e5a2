// A short sound for a new message. It is synthesized, so it needs no file and no policy of the page can block it.

let present: AudioContext | undefined;
/** Time of the context's clock, in seconds, before which no other sound starts. */
let notBefore = 0;
/** Seconds within which messages share one sound: several at once would be too loud. */
const gapSeconds = 0.1;

/** Milliseconds for which a tab keeps the other tabs from playing the sound of the same message. */
const claimMs = 5_000;
/** Milliseconds in which tabs without locks learn of each other's claims. */
const electionMs = 200;
/** The same for all messages: of several at once, the tab that plays the first one plays none of the others. */
const tabRank = Math.random();

/**
 * Plays the sound of a message in one of the visitor's tabs. Browsers block sound before the visitor has clicked;
 * such a tab leaves the sound to another one.
 * @param messageId identifies the message in all tabs.
 */
export function playNotificationSound(messageId: string): void {
  if (navigator.userActivation?.hasBeenActive === false) return;
  const name = `platform-webchat:sound:${messageId}`;
  // Pages without TLS have no locks.
  if (!navigator.locks) {
    playIfElected(name);
    return;
  }
  navigator.locks
    .request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return undefined;
      playNotes();
      return new Promise<void>((release) => setTimeout(release, claimMs));
    })
    // Locks are refused in some frames.
    .catch(() => playIfElected(name));
}

/** Plays the notes unless another tab claims them with a lower rank. Visible tabs are first: timers of hidden ones are slow. */
function playIfElected(name: string): void {
  const isVisible = document.visibilityState === 'visible';
  let channel: BroadcastChannel;
  try {
    channel = new BroadcastChannel(name);
  } catch {
    // The browser has none, or refuses it together with storage.
    if (isVisible) playNotes();
    return;
  }
  let rank = isVisible ? tabRank : 1 + tabRank;
  const claim = () => channel.postMessage(rank);
  const timer = setTimeout(() => {
    // Tabs that receive the message later lose, too.
    rank = -1;
    playNotes();
    setTimeout(() => channel.close(), claimMs);
  }, electionMs);
  channel.onmessage = ({ data }) => {
    // The other tab may have opened its channel after this one has sent its claim.
    if (rank < data) return claim();
    clearTimeout(timer);
    channel.close();
  };
  claim();
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
