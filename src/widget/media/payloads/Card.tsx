// A card: picture, title, subtitle, actions. Its buttons stay enabled, unlike the options of a question.
import { type CardPayload, readButtons } from '../../../protocol/message.ts';
import { Image } from './Image.tsx';
import { Link } from './Link.tsx';

interface Props {
  payload: CardPayload;
  /** `action` is that of the button. */
  onAnswer(label: string, value: string, action?: string): void;
}

export function Card({ payload: { title, subtitle, imageUrl, actions }, onAnswer }: Props) {
  return (
    <div class="card" part="card">
      {imageUrl && <Image payload={{ type: 'image', imageUrl }} about={title} />}
      <div class="card-words">
        <b dir="auto">{title}</b>
        {subtitle && <p dir="auto">{subtitle}</p>}
      </div>
      {readButtons(actions).map(({ action, label, value }) =>
        action === 'url' ? (
          <Link href={value} class="action" part="action">
            <bdi>{label}</bdi>
          </Link>
        ) : (
          <button
            type="button"
            class="action"
            part="action"
            dir="auto"
            onClick={() => onAnswer(label, value, action)}
          >
            {label}
          </button>
        ),
      )}
    </div>
  );
}
