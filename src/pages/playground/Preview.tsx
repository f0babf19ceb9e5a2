// The preview: a real page with the real chat in a frame of the same origin, and what that page is like.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AnyPlatformEvent } from '../../protocol/platform.ts';
import { isView, type Setup, type View } from './setup.ts';
import { createStage, type Stage } from './stage.ts';

interface Props {
  base: string;
  setup: Setup;
  /** Where others find the stage. */
  stage: RefObject<Stage | null>;
  onView(view: Partial<View>): void;
  onEvent(event: AnyPlatformEvent): void;
}

/** The choices of the toolbar: field of the view -> label -> words. */
const choices = {
  frame: ['Frame', { phone: 'Phone', desktop: 'Desktop' }],
  ground: ['Page background', { light: 'Light', dark: 'Dark' }],
  dir: ['Direction of the page', { ltr: 'LTR', rtl: 'RTL' }],
} as const;

const languages = ['ar', 'de', 'en', 'es', 'fr', 'he', 'it', 'ja', 'nl', 'pl', 'pt', 'tr', 'uk', 'zh'];

/** A phone, and the least that a desktop page is; the preview is made smaller where there is no room. */
const sizes = { phone: [390, 800], desktop: [720, 560] } as const;

export function Preview({ base, setup, stage, onView, onEvent }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState('');
  const { view } = setup;

  useEffect(() => {
    if (!frame.current) return;
    const made = createStage(frame.current, setup, { base, onEvent, onProblem: setProblem });
    stage.current = made;
    return () => made.dispose();
  }, []);

  useEffect(() => {
    const room = canvas.current;
    if (!room) return;
    const [width, height] = sizes[view.frame];
    const observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = room;
      if (!clientWidth) return;
      const scale = Math.min(1, clientWidth / width, clientHeight / height);
      const fills = view.frame === 'desktop';
      room.style.setProperty('--width', `${fills ? clientWidth / scale : width}px`);
      room.style.setProperty('--height', `${fills ? clientHeight / scale : height}px`);
      room.style.setProperty('--scale', String(scale));
    });
    observer.observe(room);
    return () => observer.disconnect();
  }, [view.frame]);

  return (
    <section class="pane preview" aria-label="Preview">
      <div class="toolbar">
        {Object.entries(choices).map(([name, [label, words]]) => (
          <fieldset key={name} class="segments" aria-label={label}>
            {Object.entries(words).map(([value, word]) => (
              <label key={value}>
                <input
                  type="radio"
                  name={`view-${name}`}
                  checked={view[name as keyof View] === value}
                  onChange={() => onView({ [name]: value })}
                />
                <span>{word}</span>
              </label>
            ))}
          </fieldset>
        ))}
        <ViewText label="Language" name="lang" view={view} listed={languages} onView={onView} />
        <ViewText label="Bot" name="bot" view={view} onView={onView} />
      </div>
      {problem && (
        <p class="notice" role="alert">
          {problem}
        </p>
      )}
      <div class="canvas" data-frame={view.frame}>
        <div class="room" ref={canvas}>
          <iframe ref={frame} title="Preview of a page with the chat" />
        </div>
      </div>
    </section>
  );
}

interface ViewTextProps {
  label: string;
  name: 'lang' | 'bot';
  view: View;
  listed?: string[];
  onView(view: Partial<View>): void;
}

/** A word of the view that is used once it is whole: with Enter, or when the input is left. */
function ViewText({ label, name, view, listed = [], onView }: ViewTextProps) {
  return (
    <label class="word">
      {label}
      <input
        type="text"
        name={name}
        list={`${name}-list`}
        value={view[name]}
        spellcheck={false}
        autocomplete="off"
        onChange={({ currentTarget }) => {
          const text = currentTarget.value.trim();
          if (isView(name, text)) onView({ [name]: text });
          else currentTarget.value = view[name];
        }}
      />
      <datalist id={`${name}-list`}>
        {listed.map((word) => (
          <option key={word} value={word} />
        ))}
      </datalist>
    </label>
  );
}
