// Disables writing controls in read-only mode. A page marks them once; people who view as someone else see
// them disabled, with the reason, and their keys do nothing.
import { createContext, type ReactNode, useContext } from 'react';
import classes from './writes.module.css';

const ReadOnly = createContext<string | null>(null);

/** `reason`: why nothing below can be changed, or null. Set by the layout. */
export function ReadOnlyBelow({ reason, children }: { reason: string | null; children: ReactNode }) {
  return <ReadOnly.Provider value={reason}>{children}</ReadOnly.Provider>;
}

/** Why nothing can be changed here, or null. */
export function useReadOnly(): string | null {
  return useContext(ReadOnly);
}

/**
 * Wraps writing controls: buttons, switches, form fields. A fieldset disables everything in it, from any kit.
 */
export function Writes({ children }: { children: ReactNode }) {
  const reason = useReadOnly();
  if (reason === null) return children;
  return (
    <fieldset disabled className={classes.dead} title={reason} aria-label={reason}>
      {children}
    </fieldset>
  );
}
