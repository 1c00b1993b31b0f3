import { Dialog } from '#web/ui/dialog.tsx';
import { MeetingFields } from './meeting-fields.tsx';
import type { Meeting } from './schedule-queries.ts';

type Props = {
  /** Null for a new one. */
  readonly meeting: Meeting | null;
  readonly all: readonly Meeting[];
  readonly onClose: () => void;
};

export function MeetingDialog({ meeting, all, onClose }: Props) {
  return (
    <Dialog opened title={meeting ? 'Edit meeting' : 'New meeting'} onClose={onClose} width={600}>
      <MeetingFields meeting={meeting} all={all} onClose={onClose} />
    </Dialog>
  );
}
