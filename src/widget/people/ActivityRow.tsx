// A line of the transcript about who answers, such as "Ada joined".
import type { Row } from '../chat/store/store.ts';
import { activityOf, textOf } from './activities.ts';

export function ActivityRow({ row }: { row: Row }) {
  return (
    <p class="day" part="activity">
      <bdi>{textOf(activityOf(row.payload))}</bdi>
    </p>
  );
}
