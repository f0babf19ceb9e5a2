// The limits of ratings. They are numbers and in a file of their own, so that no bundle of the widget imports another one for them.
export const lowestRating = 1;
export const highestRating = 5;
/** Characters of the comment. */
export const ratingCommentLength = 1_000;
