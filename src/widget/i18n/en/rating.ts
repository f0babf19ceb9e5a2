// The English strings of the rating bundle: how helpful a person was.

export const rating = {
  ratingQuestion: 'How helpful was this conversation?',
  ratingLowest: 'Not helpful',
  ratingHighest: 'Very helpful',
  ratingValue: '{value} of {most}',
  ratingComment: 'Would you like to add something? (optional)',
  ratingSend: 'Send',
  ratingSkip: 'Skip',
  ratingThanks: 'Thank you',
  ratingOffered: 'You can rate this conversation',
};
