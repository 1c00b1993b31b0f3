import { Dialog } from '#web/ui/dialog.tsx';
import { MeetingFields } from './meeting-fields.tsx';
import type { Meeting } from './schedule-queries.ts';
import type { Slot } from './slots.tsx';

type Props = {
  /** Null for a new one. */
  readonly meeting: Meeting | null;
  /** Where a new one was begun in the week. */
  readonly slot: Slot | null;
  readonly all: readonly Meeting[];
  readonly onClose: () => void;
};

export function MeetingDialog({ meeting, slot, all, onClose }: Props) {
  return (
    <Dialog opened title={meeting ? 'Edit meeting' : 'New meeting'} onClose={onClose} width={600}>
      <MeetingFields meeting={meeting} slot={slot} all={all} onClose={onClose} />
    </Dialog>
  );
}
