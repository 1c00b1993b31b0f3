import { type PersonOfMap, warningOf } from '#core/people/approver-map.ts';
import type { ApproverWarning } from '#core/people/approvers.ts';
import type { Managed } from './approver-queries.ts';
import classes from './approvers.module.css';

export const warningWords: Record<ApproverWarning, string> = {
  disabled: 'Account disabled. Can’t approve',
  mayNotDecide: 'Can’t approve: no Approvals permission',
  cannotSignIn: 'Can’t approve: no way to sign in yet',
};

/** A person's approvers, each with its problems as text. */
export function ApproverChips({ approvers, byDefault, unapproved }: PersonOfMap<Managed>) {
  if (approvers.length === 0)
    return <span className={unapproved ? classes.nobody : classes.note}>{unapproved ? 'Nobody' : 'None needed'}</span>;
  return (
    <span className={classes.chips}>
      {approvers.map((approver) => {
        const warning = warningOf(approver);
        return (
          <span key={approver.id} className={classes.chip} data-warning={warning ?? undefined}>
            {approver.displayName}
            {byDefault && <span className={classes.note}> default</span>}
            {warning && <span className={classes.note}> {warning === 'disabled' ? 'disabled' : 'can’t approve'}</span>}
          </span>
        );
      })}
    </span>
  );
}
