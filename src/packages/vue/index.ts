// The Vue adapter: a component and a composable around the store of the widget package. Works on servers: it renders
// nothing there, or the empty element of a chat in the page.
import {
  bindOpen,
  createWebchatStore,
  type OpenBinding,
  type Platform,
  type PlatformError,
  type SidedMessage,
  type WebchatOptions,
  type WebchatState,
  type WebchatStore,
} from '@platform-webchat/widget';
import {
  defineComponent,
  h,
  onBeforeUnmount,
  onMounted,
  type PropType,
  type ShallowRef,
  shallowReadonly,
  shallowRef,
  useTemplateRef,
  watch,
} from 'vue';

export type * from '@platform-webchat/widget';

export interface WebchatControls extends Pick<WebchatStore, 'open' | 'close' | 'toggle' | 'on' | 'use'> {
  state: Readonly<ShallowRef<WebchatState>>;
  /** The methods of the chat, as soon as it is initialized. */
  readonly platform: Promise<Platform>;
}

/**
 * A chat that is there while the component is mounted. `options` is called again when what it reads changes; the
 * address and the instance cannot change. @param place the element that the chat fills; without it, it floats.
 */
export function useWebchat(
  options: () => WebchatOptions,
  place: () => Element | null | undefined = () => undefined,
): WebchatControls {
  const store = createWebchatStore(options());
  const state = shallowRef(store.getSnapshot());
  const ends: (() => void)[] = [];
  onMounted(() => {
    ends.push(
      store.subscribe(() => {
        state.value = store.getSnapshot();
      }),
      store.acquire(place()),
    );
    store.update(options());
    state.value = store.getSnapshot();
  });
  watch(options, (value) => store.update(value), { deep: true });
  onBeforeUnmount(() => {
    for (const end of ends.splice(0)) end();
  });
  const { open, close, toggle, on, use } = store;
  return {
    state: shallowReadonly(state),
    open,
    close,
    toggle,
    on,
    use,
    get platform() {
      return store.platform;
    },
  };
}

/** A chat that is there while the component is mounted. */
export const Webchat = defineComponent({
  name: 'Webchat',
  props: {
    options: { type: Object as PropType<WebchatOptions>, required: true },
    /** Fills an element of this component instead of floating over the page. */
    inline: Boolean,
    /** Whether the window is open (`v-model:open`). */
    open: { type: Boolean, default: undefined },
  },
  emits: {
    message: (_message: SidedMessage) => true,
    ready: () => true,
    error: (_error: PlatformError) => true,
    'update:open': (_isOpen: boolean) => true,
  },
  setup(props, { emit, expose }) {
    const box = useTemplateRef<HTMLElement>('box');
    const chat = useWebchat(
      () => props.options,
      () => box.value,
    );
    let binding: OpenBinding | undefined;
    const stops: (() => void)[] = [];
    onMounted(() => {
      stops.push(
        chat.on('message', (message) => emit('message', message)),
        chat.on('webchat:ready', () => emit('ready')),
        chat.on('error', (error) => emit('error', error)),
      );
      const store = createWebchatStore(props.options);
      binding = bindOpen(store, props.open, (isOpen) => emit('update:open', isOpen));
      stops.push(binding.end);
    });
    onBeforeUnmount(() => {
      for (const stop of stops.splice(0)) stop();
    });
    watch(
      () => props.open,
      (isOpen) => binding?.follow(isOpen),
    );
    expose(chat);
    return () => (props.inline ? h('div', { ref: 'box' }) : null);
  },
});
