// Sound and video in the browser's own player. Nothing is loaded until the visitor presses play.
import { useState } from 'preact/hooks';
import type { AudioPayload, VideoPayload } from '../../../protocol/message.ts';
import { strings } from '../strings.ts';
import { loadable } from './addresses.ts';
import { Broken } from './Link.tsx';

export function Audio({ payload: { audioUrl, title } }: { payload: AudioPayload }) {
  return <Player tag="audio" source={audioUrl} title={title} fallback={strings.audio} />;
}

export function Video({ payload: { videoUrl, title } }: { payload: VideoPayload }) {
  return <Player tag="video" source={videoUrl} title={title} fallback={strings.video} />;
}

interface Props {
  tag: 'audio' | 'video';
  source: string;
  title: string | undefined;
  fallback: string;
}

function Player({ tag: Tag, source, title, fallback }: Props) {
  const [isBroken, setIsBroken] = useState(false);
  const address = loadable(source);
  if (!address || isBroken) return <Broken name={title || source} address={source} />;
  return (
    <figure class="player" part={Tag}>
      <Tag
        // Before `src`: if it were set later, the browser would already have started to load.
        preload="none"
        src={address}
        controls
        playsinline
        aria-label={title || fallback}
        onError={() => {
          setIsBroken(true);
        }}
      />
      {title && <figcaption dir="auto">{title}</figcaption>}
    </figure>
  );
}
