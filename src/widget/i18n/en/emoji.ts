// The English strings of the emoji bundle: the search and the groups.

export const emoji = {
  searchEmoji: 'Search emoji',
  noEmoji: 'Nothing found',
  recentEmoji: 'Recently used',
  people: 'Smileys and people',
  nature: 'Animals and nature',
  food: 'Food and drink',
  activities: 'Activities',
  travel: 'Travel and places',
  objects: 'Objects',
  symbols: 'Symbols',
};
