// The face of a person or a bot without a picture. Decorative: the name is beside it.
import { faceOf, initialOf } from '../../protocol/locale/initial.ts';

interface Props {
  name: string;
  /** A bot is a rounded square, a person a circle in the color of the name. */
  kind?: 'person' | 'bot';
  /** At a message, in a list, in a header. */
  size?: 'message' | 'list' | 'header';
}

export function Avatar({ name, kind = 'person', size = 'list' }: Props) {
  return (
    <span
      class="avatar"
      data-kind={kind}
      data-size={size}
      data-color={kind === 'person' ? faceOf(name) + 1 : undefined}
      aria-hidden="true"
    >
      {initialOf(name)}
    </span>
  );
}
