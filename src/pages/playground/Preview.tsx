// The preview: a page with the real chat in a frame of the same origin, and the settings of that page.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AnyPlatformEvent } from '../../protocol/page-api/page-api.ts';
import { createPreviewPage, type PreviewPage } from './preview-page.ts';
import { isView, languages, type Setup, type View } from './setup.ts';

interface Props {
  base: string;
  setup: Setup;
  /** Receives the preview page, for calls from other parts of the playground. */
  previewPage: RefObject<PreviewPage | null>;
  onView(view: Partial<View>): void;
  onEvent(event: AnyPlatformEvent): void;
}

/** The choices of the toolbar: field of the view -> label -> options. */
const choices = {
  frame: ['Frame', { phone: 'Phone', desktop: 'Desktop' }],
  ground: ['Page background', { light: 'Light', dark: 'Dark' }],
  dir: ['Direction of the page', { ltr: 'LTR', rtl: 'RTL' }],
} as const;

/** The size of a phone and the minimum size of a desktop page; the preview is scaled down if there is less space. */
const sizes = { phone: [390, 800], desktop: [720, 560] } as const;

export function Preview({ base, setup, previewPage, onView, onEvent }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState('');
  const { view } = setup;

  useEffect(() => {
    if (!frame.current) return;
    const page = createPreviewPage(frame.current, setup, { base, onEvent, onProblem: setProblem });
    previewPage.current = page;
    return () => page.dispose();
  }, []);

  useEffect(() => {
    const area = canvas.current;
    if (!area) return;
    const [width, height] = sizes[view.frame];
    const observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = area;
      if (!clientWidth) return;
      const scale = Math.min(1, clientWidth / width, clientHeight / height);
      const fills = view.frame === 'desktop';
      area.style.setProperty('--width', `${fills ? clientWidth / scale : width}px`);
      area.style.setProperty('--height', `${fills ? clientHeight / scale : height}px`);
      area.style.setProperty('--scale', String(scale));
    });
    observer.observe(area);
    return () => observer.disconnect();
  }, [view.frame]);

  return (
    <section class="pane preview" aria-label="Preview">
      <div class="toolbar">
        {Object.entries(choices).map(([name, [label, options]]) => (
          <fieldset key={name} class="segments" aria-label={label}>
            {Object.entries(options).map(([value, text]) => (
              <label key={value}>
                <input
                  type="radio"
                  name={`view-${name}`}
                  checked={view[name as keyof View] === value}
                  onChange={() => onView({ [name]: value })}
                />
                <span>{text}</span>
              </label>
            ))}
          </fieldset>
        ))}
        <div class="words">
          <ViewText label="Language" name="lang" view={view} listed={languages} onView={onView} />
          <ViewText label="Bot" name="bot" view={view} onView={onView} />
        </div>
      </div>
      {problem && (
        <p class="notice" role="alert">
          {problem}
        </p>
      )}
      <div class="canvas" data-frame={view.frame}>
        <div class="scaled" ref={canvas}>
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

/** A text field of the view, which is applied with Enter or on blur. */
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
