import { type Permission, permissions } from '#core/access/permissions.ts';
import classes from './permission-list.module.css';

type Props = {
  readonly sign: '+' | '−';
  /** The label for screen readers. */
  readonly words: string;
  readonly permissions: readonly string[];
};

export function PermissionList({ sign, words, permissions: keys }: Props) {
  if (keys.length === 0) return null;
  const titles = keys.map((key) => {
    const { group, title } = permissions[key as Permission];
    return group === title ? title : `${group}: ${title}`;
  });
  return (
    <p className={classes.permissions} data-sign={sign}>
      <span aria-hidden="true">{sign}</span> <span className="visually-hidden">{words}</span> {titles.join(', ')}
    </p>
  );
}
