// The words of the media chunk.
export const mediaWords = {
  picture: 'Picture',
  audio: 'Audio',
  video: 'Video',
  file: 'File',
  place: 'Place',
  enlarge: (name: string) => `${name}, enlarge`,
  closePicture: 'Close picture',
  broken: 'Could not be loaded:',
  cards: 'Cards',
  card: (number: number, count: number) => `${number} of ${count}`,
  previous: 'Previous card',
  next: 'Next card',
  choose: 'Choose an answer',
  sendOption: 'Send',
  newTab: 'opens in a new tab',
};
