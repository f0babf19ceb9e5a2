// The avatar of a bot (a square) or of a person (a circle in a color of the name): the first letter of the name, covered by the
// picture if that can be loaded.
import { faceColorOf, initialOf } from '../../../protocol/locale/initial.ts';

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
      style={{ '--face': isPerson ? faceColorOf(name) : '' }}
    >
      {initialOf(name)}
      {url && <img key={url} loading="lazy" src={url} alt="" onError={hide} />}
    </span>
  );
}

function hide({ currentTarget }: { currentTarget: HTMLElement }): void {
  currentTarget.hidden = true;
}
