// The English words of the media chunk.

export const media = {
  enlarge: '{name}, enlarge',
  closePicture: 'Close picture',
  broken: 'Could not be loaded:',
  cards: 'Cards',
  card: '{number} of {count}',
  previousCard: 'Previous card',
  nextCard: 'Next card',
  choose: 'Choose an answer',
  sendAnswer: 'Send',
};
