// The bot's face: the first letter of its name, and its picture over it where one can be loaded.

export function Avatar({ url, name }: { url: string | undefined; name: string }) {
  return (
    <span class="avatar" part="avatar" aria-hidden="true">
      {/* By code point: the first letter of a name may be outside the basic plane. */}
      {[...name.trim()][0]?.toUpperCase()}
      {url && <img key={url} src={url} alt="" onError={hide} />}
    </span>
  );
}

function hide({ currentTarget }: { currentTarget: HTMLElement }): void {
  currentTarget.hidden = true;
}
