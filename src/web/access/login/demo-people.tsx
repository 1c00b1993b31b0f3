import type { DemoAccount } from '#web/api/config.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import classes from './demo-people.module.css';

type Props = {
  readonly accounts: readonly DemoAccount[];
  readonly busy: boolean;
  readonly onChoose: (account: DemoAccount) => void;
};

/** With demo data only: one click signs in as one of the demo people. */
export function DemoPeople({ accounts, busy, onChoose }: Props) {
  return (
    <section className={classes.demo} aria-labelledby="demo-people">
      <h2 id="demo-people">Or look around as a demo person</h2>
      <p className={classes.sentence}>All data here is made up.</p>
      <ul className={classes.people}>
        {accounts.map((account) => (
          <li key={account.email}>
            <button type="button" aria-disabled={busy} onClick={() => !busy && onChoose(account)}>
              <Avatar name={account.name} size={32} />
              <span className={classes.words}>
                <span className={classes.name}>
                  {account.name} <span className={classes.role}>{account.role}</span>
                </span>
                <span className={classes.can}>{account.can}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
