// The words of formatted text: what stands on code blocks and in the place of pictures.
export const richWords = {
  copy: 'Copy',
  copied: 'Copied',
  code: 'Code',
  showImage: (host: string) => `Show picture from ${host}`,
  newTab: 'opens in a new tab',
};

export type RichWords = typeof richWords;
