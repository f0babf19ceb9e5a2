// A player for sound: a button, the position, and the time. Nothing is loaded until the visitor presses play.
import { useRef, useState } from 'preact/hooks';
import type { AudioPayload } from '../../../protocol/message.ts';
import { language } from '../../i18n/current.ts';
import { Icon } from '../../icon.tsx';
import { strings } from '../strings.ts';
import { loadable } from './addresses.ts';
import { Broken } from './Link.tsx';

/** From Lucide (ISC): "play" and "pause", each one path in a 24 by 24 box. */
const icons = {
  play: 'm6 3 14 9-14 9z',
  pause: 'M7 4h2v16H7zM15 4h2v16h-2z',
};
/** The position is one of 100, as is usual for this control: an arrow key moves it by one. */
const positions = 100;

export function Audio({ payload: { audioUrl, title } }: { payload: AudioPayload }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isBroken, setIsBroken] = useState(false);
  const [isPlaying, setIsPlaying] = useState(false);
  // In seconds; the duration is 0 until it is known, and of a live stream.
  const [{ time, duration }, setState] = useState({ time: 0, duration: 0 });
  const address = loadable(audioUrl);
  if (!address || isBroken) return <Broken name={title || audioUrl} address={audioUrl} />;
  const name = title || strings.audio;
  const look = ({ currentTarget }: { currentTarget: HTMLAudioElement }) => {
    const { currentTime, duration } = currentTarget;
    setState({ time: currentTime, duration: Number.isFinite(duration) ? duration : 0 });
  };
  const toggle = () => {
    const { current } = audio;
    if (isPlaying) return current?.pause();
    // An error is reported by the element.
    current?.play().catch(() => {});
  };
  const played = duration && (time / duration) * positions;
  const label = isPlaying ? strings.pause : strings.play;
  const words = duration ? `${wordsOf(time)} / ${wordsOf(duration)}` : wordsOf(time);
  return (
    <figure class="player audio" part="audio">
      {title && <figcaption dir="auto">{title}</figcaption>}
      {/* As everywhere, time goes from left to right. */}
      <div dir="ltr">
        <button type="button" class="play" aria-label={`${label}: ${name}`} title={label} onClick={toggle}>
          <Icon path={isPlaying ? icons.pause : icons.play} />
        </button>
        <input
          type="range"
          aria-label={name}
          aria-valuetext={words}
          disabled={!duration}
          value={played}
          // By CSSOM, which no CSP blocks.
          style={{ '--played': `${played}%` }}
          onInput={({ currentTarget }) => {
            if (audio.current)
              audio.current.currentTime = (Number(currentTarget.value) / positions) * duration;
          }}
        />
        <span>{words}</span>
      </div>
      {/* biome-ignore lint/a11y/useMediaCaption: the bot sends no captions */}
      <audio
        ref={audio}
        // Before `src`: if it were set later, the browser would already have started to load.
        preload="none"
        src={address}
        onPlay={({ currentTarget }) => {
          setIsPlaying(true);
          // One at a time.
          const root = currentTarget.getRootNode() as ShadowRoot;
          for (const other of root.querySelectorAll<HTMLMediaElement>('audio, video'))
            if (other !== currentTarget) other.pause();
        }}
        onPause={() => setIsPlaying(false)}
        onTimeUpdate={look}
        onDurationChange={look}
        onError={() => setIsBroken(true)}
      />
    </figure>
  );
}

/** For example `00:12`, in the digits of the language. */
const wordsOf = (seconds: number): string =>
  new Date(seconds * 1_000).toLocaleTimeString(language.locale, {
    minute: '2-digit',
    second: '2-digit',
    timeZone: 'UTC',
  });
