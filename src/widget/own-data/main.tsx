// The entry point of the bundle for the visitor's own data: deleting it. Loaded when the visitor asks for it.

export { DeletionDialog } from './DeletionDialog.tsx';
