// The entry point of the voice bundle, which the first click on one of its buttons loads.
export { startDictation } from './dictation.ts';
export { RecordingBar } from './RecordingBar.tsx';
export { startRecording } from './recording.ts';
export { strings } from './strings.ts';

import css from './voice.css?inline';

export { css };
