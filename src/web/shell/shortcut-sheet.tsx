import { Dialog } from '#web/ui/dialog.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { modifierName, type Shortcut, useDeclaredShortcuts, useLetterShortcuts } from '#web/ui/shortcuts.ts';
import classes from './shortcut-sheet.module.css';

const names: Readonly<Record<string, string>> = {
  mod: modifierName,
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'Esc',
};

function keysOf({ key }: Shortcut): string[] {
  return key.split(/[ +]/).map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part));
}

/** All available keys on this page, under their declared headings. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const declared = useDeclaredShortcuts();
  const [letters] = useLetterShortcuts();
  const scopes = [...new Set(declared.map(({ scope }) => scope))];
  return (
    <Dialog opened title="Keyboard shortcuts" onClose={onClose} width={520}>
      {!letters && <p className={classes.off}>Single-letter shortcuts are off. Turn them on in the account menu.</p>}
      {scopes.map((scope) => (
        <section key={scope} className={classes.scope}>
          <h3>{scope}</h3>
          <dl>
            {declared
              .filter((shortcut) => shortcut.scope === scope)
              .map((shortcut) => (
                <div key={shortcut.key + shortcut.label} className={classes.row}>
                  <dt>{shortcut.label}</dt>
                  <dd>
                    {keysOf(shortcut).map((name) => (
                      <Kbd key={name}>{name}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
