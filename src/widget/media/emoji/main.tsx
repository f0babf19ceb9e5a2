// The entry point of the emoji bundle, which is loaded when the visitor opens the list for the first time.
export { EmojiPicker } from './EmojiPicker.tsx';

import css from './emoji.css?inline';

export { css };
