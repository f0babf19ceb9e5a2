// The English words of formatted text: what stands on code blocks and in the place of pictures.

export const rich = {
  copyCode: 'Copy',
  codeCopied: 'Copied',
  code: 'Code',
  showImage: 'Show picture from {host}',
};
