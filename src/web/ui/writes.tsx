// What changes something, and whether it may just now. A page marks its writing controls once; who looks as somebody else finds
// them in their place and dead, with the reason, and keys that write do nothing.
import { createContext, type ReactNode, useContext } from 'react';
import classes from './writes.module.css';

const ReadOnly = createContext<string | null>(null);

/** `reason`: why nothing below can be changed, or null. Set by the frame around every page. */
export function ReadOnlyBelow({ reason, children }: { reason: string | null; children: ReactNode }) {
  return <ReadOnly.Provider value={reason}>{children}</ReadOnly.Provider>;
}

/** Why nothing can be changed here, or null. */
export function useReadOnly(): string | null {
  return useContext(ReadOnly);
}

/** Around controls that write: buttons, switches, fields of a form. A fieldset turns off everything in it, whatever kit drew it. */
export function Writes({ children }: { children: ReactNode }) {
  const reason = useReadOnly();
  if (reason === null) return children;
  return (
    <fieldset disabled className={classes.dead} title={reason} aria-label={reason}>
      {children}
    </fieldset>
  );
}
