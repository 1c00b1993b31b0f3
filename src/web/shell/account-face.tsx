import type { ButtonHTMLAttributes, Ref } from 'react';
import { useViewer } from '#web/api/viewer.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import classes from './top-bar.module.css';

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { readonly ref?: Ref<HTMLButtonElement> };

export function AccountFace(props: Props) {
  const { name } = useViewer();
  return (
    <button type="button" {...props} className={classes.account}>
      <Avatar name={name} size={30} />
      <span className="visually-hidden">{name}’s account</span>
    </button>
  );
}
