// How the member points.

/** True if focusing a text box would open an on-screen keyboard over the page. */
export const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches;
