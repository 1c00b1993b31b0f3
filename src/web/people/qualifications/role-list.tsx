import { Panel } from '#web/ui/panel.tsx';
import type { QualifiedRole } from './qualification-queries.ts';
import classes from './qualifications-page.module.css';

type Props = {
  readonly roles: readonly QualifiedRole[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
};

/** Every role, and how many of its people lack something. */
export function RoleList({ roles, chosen, onChoose }: Props) {
  return (
    <Panel title="Roles" note={roles.length} flush>
      <ul className={classes.roles}>
        {roles.map((role) => (
          <li key={role.name}>
            <button type="button" aria-current={role.name === chosen} onClick={() => onChoose(role.name)}>
              <span className={classes.roleName}>{role.name}</span>
              <span className={classes.roleNote}>
                <Note role={role} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Note({ role: { people, requirements, missing, expired, expiring } }: { role: QualifiedRole }) {
  const who = people === 1 ? '1 person' : `${people} people`;
  if (requirements.length === 0) return <>{who}, asks for nothing</>;
  const lacking = missing + expired;
  const soon = expiring > 0 ? `, ${expiring} expiring` : '';
  if (lacking === 0)
    return (
      <>
        {who}, nothing missing{soon}
      </>
    );
  return (
    <>
      {who}, <span className={classes.lacking}>{lacking} lacking</span>
      {soon}
    </>
  );
}
