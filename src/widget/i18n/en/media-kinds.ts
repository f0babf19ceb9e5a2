// The English names of what is not text: media show them, tools say them.

export const kinds = {
  image: 'Picture',
  audio: 'Audio',
  video: 'Video',
  file: 'File',
  location: 'Place',
};
