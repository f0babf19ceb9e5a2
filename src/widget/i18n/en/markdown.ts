// The English strings of the Markdown bundle: code blocks and pictures.

export const markdown = {
  copyCode: 'Copy',
  codeCopied: 'Copied',
  code: 'Code',
  showImage: 'Show picture from {host}',
};
