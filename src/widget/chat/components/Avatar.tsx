// The avatar of a bot (a square) or of a person (a circle in a color of the name): the first letter of the name, covered by the
// picture if that can be loaded.
import { faceOf, initialOf } from '../../../protocol/locale/initial.ts';

/** Backgrounds of the initials of people, in the order of the hues of the console (pages/ui/style/avatar.css): white text is readable on each. */
export const faceColors = [
  '#2a63c4',
  '#6a4fc8',
  '#ad2f7b',
  '#b3372f',
  '#a0520a',
  '#1f7a3d',
  '#0a7580',
  '#5f6b00',
];

interface Props {
  url: string | undefined;
  name: string;
  isPerson: boolean;
}

export function Avatar({ url, name, isPerson }: Props) {
  return (
    <span
      class="avatar"
      part="avatar"
      aria-hidden="true"
      data-person={isPerson}
      style={{ '--face': isPerson ? faceColors[faceOf(name)] : '' }}
    >
      {initialOf(name)}
      {url && <img key={url} loading="lazy" src={url} alt="" onError={hide} />}
    </span>
  );
}

function hide({ currentTarget }: { currentTarget: HTMLElement }): void {
  currentTarget.hidden = true;
}
