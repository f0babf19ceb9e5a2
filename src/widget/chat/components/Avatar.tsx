// The avatar of the bot: the first letter of its name, covered by its image if that can be loaded.
import { initialOf } from '../../../protocol/locale/initial.ts';

export function Avatar({ url, name }: { url: string | undefined; name: string }) {
  return (
    <span class="avatar" part="avatar" aria-hidden="true">
      {initialOf(name)}
      {url && <img key={url} loading="lazy" src={url} alt="" onError={hide} />}
    </span>
  );
}

function hide({ currentTarget }: { currentTarget: HTMLElement }): void {
  currentTarget.hidden = true;
}
