// The panel beside the text with one live chat: for a field of the configuration with its control, or for a payload with its JSON.
import { render } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Payload } from '../../../protocol/message.ts';
import type { Configuration, FieldName } from '../../../protocol/page-api/config.ts';
import { attributeOf } from '../../../protocol/page-api/config-layers.ts';
import { Field } from '../../playground/controls/Field.tsx';
import { textOf } from '../../playground/setup.ts';
import { fieldTrial } from './field-samples.ts';
import { LiveFrame, siteRoot, tryChatOf } from './frame.tsx';
import { payloadSamples } from './payload-samples.ts';

let host: HTMLElement | undefined;
/** The button that has opened the panel: it gets the focus back. */
let opener: HTMLButtonElement | undefined;
let opened = 0;

export function openPanel(button: HTMLButtonElement): void {
  const { tryField, tryPayload = '' } = button.dataset;
  if (!host) {
    host = document.createElement('aside');
    host.className = 'try-panel';
    host.setAttribute('aria-label', 'Live chat');
    host.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') close();
    });
    document.body.append(host);
  }
  opener?.setAttribute('aria-expanded', 'false');
  opener = button;
  button.setAttribute('aria-expanded', 'true');
  document.documentElement.dataset.trying = '';
  // A new key: one chat at a time, which begins with this subject.
  opened += 1;
  render(
    tryField ? (
      <FieldPanel key={opened} name={tryField as FieldName} />
    ) : (
      <PayloadPanel key={opened} type={tryPayload} />
    ),
    host,
  );
  host.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
  // The text has become narrower: the row stays in view, on a phone above the panel.
  const isNarrow = matchMedia('(max-width: 899px)').matches;
  button.closest('tr')?.scrollIntoView({ block: isNarrow ? 'start' : 'center' });
}

function close(): void {
  if (!host) return;
  render(null, host);
  delete document.documentElement.dataset.trying;
  opener?.setAttribute('aria-expanded', 'false');
  opener?.focus();
}

function Head({ name }: { name: string }) {
  return (
    <div class="try-head">
      <h2 tabIndex={-1}>
        Try <code>{name}</code>
      </h2>
      <button type="button" class="quiet" onClick={close}>
        Close
      </button>
    </div>
  );
}

function FieldPanel({ name }: { name: FieldName }) {
  const [trial] = useState(() => fieldTrial(name, siteRoot()));
  const [value, setValue] = useState<unknown>(trial.value);
  const [turn, setTurn] = useState(0);
  const configuration = { ...trial.companions, [name]: value } as Configuration;
  const attribute =
    value === undefined ? attributeOf(name) : `${attributeOf(name)}=${quoted(textOf(name, value))}`;
  return (
    <>
      <Head name={name} />
      <div class="try-controls">
        <Field
          note={{ name, text: '', isDeprecated: false }}
          isHidden={false}
          value={value}
          onValue={setValue}
        />
        {trial.hint && <p class="try-hint">{trial.hint}</p>}
        <div class="try-row">
          <code class="try-code">{attribute}</code>
          <button type="button" class="quiet" onClick={() => setTurn(turn + 1)}>
            Restart
          </button>
        </div>
      </div>
      <LiveFrame
        key={turn}
        configuration={configuration}
        payloads={trial.payloads}
        isOpen={trial.isOpen}
        isWide={trial.isWide}
        onFrame={() => {}}
      />
    </>
  );
}

/** A value of an attribute in the quotation marks that it does not contain. */
const quoted = (text: string) => (text.includes('"') ? `'${text.replaceAll("'", '&#39;')}'` : `"${text}"`);

function PayloadPanel({ type }: { type: string }) {
  const [sample] = useState(() => payloadSamples(siteRoot())[type]);
  const text = useRef<HTMLTextAreaElement>(null);
  const frame = useRef<HTMLIFrameElement | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const [empty] = useState<Configuration>({});
  const send = () => {
    try {
      tryChatOf(frame.current)?.say(JSON.parse(text.current?.value ?? '') as Payload);
      setProblem('');
    } catch (error) {
      setProblem(`This cannot be sent: ${(error as Error).message}`);
    }
  };
  return (
    <>
      <Head name={type} />
      <div class="try-controls">
        <label>
          Payload
          <textarea
            ref={text}
            rows={6}
            spellcheck={false}
            defaultValue={JSON.stringify(sample, undefined, 2)}
          />
        </label>
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="try-row">
          <button type="button" class="primary" onClick={send}>
            Send as the bot
          </button>
        </div>
      </div>
      <LiveFrame
        configuration={empty}
        payloads={sample ? [sample] : []}
        isOpen={true}
        isWide={false}
        onFrame={(element) => {
          frame.current = element;
        }}
      />
    </>
  );
}
