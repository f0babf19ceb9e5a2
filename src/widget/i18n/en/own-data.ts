// The English strings of the bundle for the visitor's own data: deleting it.

export const ownData = {
  deleteQuestion: 'Delete your data?',
  deleteExplained:
    'Your conversations, files and contact details in this chat are deleted for good, on the server and in this browser. This cannot be undone.',
  deleteConfirm: 'Delete',
  deleting: 'Deleting …',
  deleted: 'Your data was deleted',
  deletedExplained: 'This chat knows nothing about you any more.',
  deleteFailed: 'Could not be deleted. Please try again.',
};
