import { Link } from '@tanstack/react-router';
import { isAdmin } from '#core/access/access.ts';
import type { useOwnApprovers } from '#web/api/my-approvers.ts';
import { useViewer } from '#web/api/viewer.ts';

type Props = { readonly own: NonNullable<ReturnType<typeof useOwnApprovers>> };

/** The sentence about the viewer's approvers. Admins who have none choose one. */
export function OwnApproversSentence({ own }: Props) {
  const { id, ...viewer } = useViewer();
  return (
    <>
      {own.sentence}
      {own.isMissing && isAdmin(viewer) && (
        <>
          {' '}
          <Link to="/approvermanagement" search={{ open: id }}>
            Choose one
          </Link>
        </>
      )}
    </>
  );
}
