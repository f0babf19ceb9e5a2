// The entry point of the bundle for the visitor's own data: deleting it, and the conversation as a file, on paper and by e-mail.
// Loaded when the visitor asks for one of them.

export { DeletionDialog } from './DeletionDialog.tsx';
export { MailDialog } from './MailDialog.tsx';
export { downloadTranscript, printTranscript } from './transcript/transcript.ts';
