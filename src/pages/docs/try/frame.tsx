// The frame with the live chat. A new `setup` starts the chat again; a new configuration only configures it.
import { useEffect, useRef } from 'preact/hooks';
import type { Payload } from '../../../protocol/message.ts';
import type { Configuration } from '../../../protocol/page-api/config.ts';
import { keepFocus } from '../../console/keep-focus.ts';
import { followGround } from '../frame/ground.ts';
import type { FrameWindow } from '../frame/try-chat.ts';

export const siteRoot = () => new URL(document.documentElement.dataset.root ?? '', location.href).href;

/** Milliseconds without a change until the chat is configured again: a color field sends many changes. */
const idleMs = 150;
/** The width of a page in the wide view, in pixels of the page. */
const wideWidth = 900;

interface Props {
  configuration: Configuration;
  payloads: Payload[];
  isOpen: boolean;
  isWide: boolean;
  onFrame(frame: HTMLIFrameElement): void;
}

export const tryChatOf = (frame: HTMLIFrameElement | undefined) =>
  (frame?.contentWindow as FrameWindow | null | undefined)?.tryChat;

export function LiveFrame({ configuration, payloads, isOpen, isWide, onFrame }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const isStarted = useRef(false);
  const unfollow = useRef<() => void>(undefined);
  useEffect(() => () => unfollow.current?.(), []);
  const current = useRef(configuration);
  current.current = configuration;
  useEffect(() => {
    const timer = setTimeout(() => {
      if (isStarted.current) tryChatOf(frame.current ?? undefined)?.configure(configuration);
    }, idleMs);
    return () => clearTimeout(timer);
  }, [configuration]);
  // The reader goes on in the text or in the control.
  useEffect(() => (frame.current ? keepFocus(frame.current) : undefined), []);
  useEffect(() => {
    const { current: area } = box;
    if (!area) return;
    const observer = new ResizeObserver(() => {
      const scale = isWide ? Math.min(1, area.clientWidth / wideWidth) : 1;
      area.style.setProperty('--scale', String(scale));
    });
    observer.observe(area);
    return () => observer.disconnect();
  }, [isWide]);
  return (
    <div class="live-frame" ref={box}>
      <iframe
        ref={frame}
        title="A page with the live chat"
        src={`${siteRoot()}try.html`}
        onLoad={() => {
          const element = frame.current;
          const chat = tryChatOf(element ?? undefined);
          if (!element || !chat) return;
          unfollow.current?.();
          unfollow.current = followGround(element);
          chat.start({ configuration: current.current, isOpen, payloads });
          isStarted.current = true;
          onFrame(element);
        }}
      />
    </div>
  );
}
