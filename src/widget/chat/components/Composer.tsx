// The message input: grows with the text, sends on Enter, stores the draft, accepts files.
import { Component } from 'preact';
import { Icon } from '../../icon.tsx';
import { extras } from '../bundles.ts';
import { isBotSilent, isFreeTextOff } from '../payloads/answers.ts';
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

  onText() {
    const { current } = this.box;
    if (!current) return;
    this.setState({ hasText: current.value.trim() !== '' });
    // For browsers without field-sizing (Firefox, Safari before 26.2).
    if (CSS.supports('field-sizing', 'content')) return;
    current.style.height = '';
    // It has no height if it is rendered before the window is opened; the height is set on focus.
    if (current.scrollHeight) current.style.height = `${current.scrollHeight}px`;
  }

  override render(props: ViewProps, { hasText = false }: ComposerState) {
    const { store, session } = props;
    const { box } = this;
    const rows = store.state.outline;
    const attachments = store.state.attachments;
    const { AttachmentList, AttachButton, composerTools } = extras.module ?? {};
    // The notice offers to try again.
    const isRefused = store.state.connection === 'refused';
    const isOff = isRefused || (isFreeTextOff(rows) && !isBotSilent(store.state.handling));
    const isUploading = attachments.some(({ status }) => status === 'uploading');
    const hasFiles = attachments.some(({ status }) => status === 'uploaded');
    // A row of buttons below the text box, instead of one button before it.
    const Tools = composerTools?.(props);
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
      // A failed message stays in the transcript with its text.
      session.send(payload).catch(() => {});
    };

    return (
      <form
        class="composer"
        data-tools={!!Tools}
        part="composer"
        onSubmit={(event) => {
          event.preventDefault();
          if (isStoppable) session.stop();
          else send();
          // The visitor can continue writing. On touch devices the keyboard must neither open nor close.
          if (!isTouch() || event.submitter?.matches(':focus')) box.current?.focus();
        }}
      >
        {AttachmentList && attachments.length > 0 && <AttachmentList {...props} />}
        {AttachButton && !Tools && store.canAttach() && <AttachButton {...props} />}
        <textarea
          ref={box}
          class="box-input"
          part="input"
          rows={1}
          // With `auto`, an empty input and its placeholder would be left to right.
          dir={hasText ? 'auto' : undefined}
          enterkeyhint="send"
          aria-label={strings.composer}
          // Of the footer; without it, there is no description.
          aria-describedby="ai-notice"
          placeholder={
            isRefused
              ? strings.refused
              : isOff
                ? strings.chooseFirst
                : (store.state.configuration.composerPlaceholder ?? strings.placeholder)
          }
          // Not `disabled`, which would remove the focus.
          readOnly={isOff}
          aria-disabled={isOff}
          onFocus={() => this.onText()}
          onInput={(event) => {
            this.onText();
            session.setTyping(event.currentTarget.value.trim() !== '');
            session.saveDraft(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
              const browse = (module: NonNullable<(typeof extras)['module']>) =>
                module.browseInputHistory(event, box.current, store, session);
              // At once, so that the event can still be prevented.
              if (extras.module) browse(extras.module);
              else extras.load(browse);
            }
            // 229: Safari ends an IME composition before the keydown of its Enter.
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
            event.preventDefault();
            send();
          }}
        />
        {Tools && <Tools {...props} box={box} isOff={isOff} hasText={hasText} />}
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
