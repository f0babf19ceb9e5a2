// The avatar of the bot: the first letter of its name, covered by its image if that can be loaded.

export function Avatar({ url, name }: { url: string | undefined; name: string }) {
  return (
    <span class="avatar" part="avatar" aria-hidden="true">
      {/* By code point: the first letter of a name may be outside the basic plane. */}
      {[...name.trim()][0]?.toUpperCase()}
      {url && <img key={url} loading="lazy" src={url} alt="" onError={hide} />}
    </span>
  );
}

function hide({ currentTarget }: { currentTarget: HTMLElement }): void {
  currentTarget.hidden = true;
}
