// Why the words of a file cannot be had, in words for its owner: no fault of ours, and no secret of anybody.

export class Unreadable extends Error {}
