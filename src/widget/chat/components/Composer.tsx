// Where the visitor writes: grows with the text, sends on Enter, keeps the draft, takes files.
import { Component } from 'preact';
import { Icon } from '../../icon.tsx';
import { extras } from '../bundles.ts';
import { isFreeTextOff } from '../payloads/answers.ts';
import { strings } from '../strings.ts';
import type { ViewProps } from '../view.ts';
import { isTouch } from './focus.ts';
import { icons } from './icons.ts';

interface ComposerState {
  hasText?: boolean;
}

export class Composer extends Component<ViewProps, ComposerState> {
  readonly box = { current: null as HTMLTextAreaElement | null };

  override componentDidMount() {
    const { current } = this.box;
    if (current) current.value = this.props.widget.storage.read().draft ?? '';
    this.onText();
  }

  /** The text has changed. */
  onText() {
    const { current } = this.box;
    if (!current) return;
    this.setState({ hasText: current.value.trim() !== '' });
    // Where the browser has no field-sizing (Firefox, Safari before 26.2).
    if (CSS.supports('field-sizing', 'content')) return;
    current.style.height = '';
    // Drawn before the window is opened it has no height; the focus comes later.
    if (current.scrollHeight) current.style.height = `${current.scrollHeight}px`;
  }

  override render(props: ViewProps, { hasText = false }: ComposerState) {
    const { store, session } = props;
    const { box } = this;
    const rows = store.state.outline;
    const attachments = store.state.attachments;
    const { AttachmentList, AttachButton } = (store.canAttach() && extras.module) || {};
    const isOff = isFreeTextOff(rows);
    const isUploading = attachments.some(({ status }) => status === 'uploading');
    const hasFiles = attachments.some(({ status }) => status === 'uploaded');
    const isStoppable = !hasText && rows.some(({ status }) => status === 'streaming') && store.has('stream');

    const send = () => {
      const { current } = box;
      if (!current || isOff || isUploading || !(current.value.trim() || hasFiles)) return;
      const text = current.value;
      const payload = hasFiles
        ? extras.module?.takeAttachments(store, text)
        : { type: 'text' as const, text };
      if (!payload) return;
      current.value = '';
      this.onText();
      session.saveDraft('');
      // A failed message stays in the transcript with its text; nothing to do here.
      session.send(payload).catch(() => {});
    };

    return (
      <form
        class="composer"
        part="composer"
        onSubmit={(event) => {
          event.preventDefault();
          if (isStoppable) session.stop();
          else send();
          // To go on writing. On touch a tap neither opens the keyboard nor closes it.
          if (!isTouch() || event.submitter?.matches(':focus')) box.current?.focus();
        }}
      >
        {AttachmentList && attachments.length > 0 && <AttachmentList {...props} />}
        {AttachButton && <AttachButton {...props} />}
        <textarea
          ref={box}
          class="box-input"
          part="input"
          rows={1}
          // Empty, `auto` would be left to right, and with it the placeholder.
          dir={hasText ? 'auto' : undefined}
          enterkeyhint="send"
          aria-label={strings.composer}
          placeholder={
            isOff
              ? strings.chooseFirst
              : (store.state.configuration.composerPlaceholder ?? strings.placeholder)
          }
          // Not `disabled`: that would drop the focus, and with it the visitor's place.
          readOnly={isOff}
          aria-disabled={isOff}
          onFocus={() => this.onText()}
          onInput={(event) => {
            this.onText();
            session.setTyping(event.currentTarget.value.trim() !== '');
            session.saveDraft(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            // 229: Safari ends an IME composition before the keydown of its Enter.
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
            event.preventDefault();
            send();
          }}
        />
        <button
          type="submit"
          class="send"
          part="send"
          aria-label={isStoppable ? strings.stop : strings.send}
          title={isStoppable ? strings.stop : strings.send}
          onMouseDown={(event) => event.preventDefault()}
          disabled={!isStoppable && (isOff || isUploading || !(hasText || hasFiles))}
        >
          <Icon path={isStoppable ? icons.stop : icons.send} />
        </button>
      </form>
    );
  }
}
