// The icons of the list of conversations (Lucide, ISC): arrow-left, plus.
export const icons = {
  back: 'M19 12H5M12 19l-7-7 7-7',
  add: 'M12 5v14M5 12h14',
};
