// The real chat of a bot in a frame, with a configuration that is not saved yet.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Configuration } from '../../protocol/page-api/config.ts';
import { createPreviewPage, type PreviewPage } from '../playground/preview-page.ts';
import { defaultView } from '../playground/setup.ts';
import { t } from '../ui/texts.ts';
import { useConsole } from './console.ts';
import { keepFocus } from './keep-focus.ts';

interface Props {
  /** The last part of the address of the chat. */
  webhookId: string;
  configuration: Configuration;
}

/** Milliseconds without a change until the chat is configured again: a color field sends many changes. */
const idleMs = 150;

export function ChatPreview({ webhookId, configuration }: Props) {
  const { base } = useConsole();
  const frame = useRef<HTMLIFrameElement>(null);
  const page = useRef<PreviewPage | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const setup = {
    configuration: { ...configuration, storageLocation: 'memory' as const },
    view: { ...defaultView, bot: webhookId },
  };
  useEffect(() => {
    if (!frame.current) return;
    const release = keepFocus(frame.current);
    const created = createPreviewPage(frame.current, setup, {
      base,
      address: `${base}playground/preview.html`,
      isOpen: true,
      onEvent() {},
      onProblem: setProblem,
    });
    page.current = created;
    return () => {
      release();
      created.dispose();
    };
  }, [base, webhookId]);
  useEffect(() => {
    const timer = setTimeout(() => page.current?.show(setup), idleMs);
    return () => clearTimeout(timer);
  }, [configuration, webhookId]);
  return (
    <div class="chat-preview">
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <iframe ref={frame} title={t('Preview of a page with the chat')} />
    </div>
  );
}
