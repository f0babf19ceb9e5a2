// A line of the transcript other than a message: about who answers, such as "Ada joined", or "Seen".
import type { Row } from '../chat/store/store.ts';
import { activityOf, textOf } from './activities.ts';
import { strings } from './strings.ts';

export function ActivityRow({ row }: { row: Row }) {
  const activity = activityOf(row.payload);
  return activity ? (
    <p class="day" part="activity">
      <bdi>{textOf(activity)}</bdi>
    </p>
  ) : (
    <p class="seen" part="seen">
      {strings.seen}
    </p>
  );
}
