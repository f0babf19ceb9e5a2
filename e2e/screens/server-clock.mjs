// The clock of a server of the screens, as an `--import` of Node: it begins at SCREENS_TIME, and a second of it lasts twenty, so
// that each picture shows the same times.
const begin = Date.parse(process.env.SCREENS_TIME ?? '');
const SystemDate = Date;
const start = SystemDate.now();
const now = () => Math.floor(begin + (SystemDate.now() - start) / 20);

globalThis.Date = class extends SystemDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }
  static now() {
    return now();
  }
};
