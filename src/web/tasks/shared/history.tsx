import { type ReactNode, useState } from 'react';
import { listWords } from '#core/base/formats.ts';
import { goneFileRefusal } from '#core/tasks/files.ts';
import { repeatSentence } from '#core/tasks/repeat.ts';
import { fieldTitles, isDecisionEvent, restoringRefusal, taskEvents, wasUndone } from '#core/tasks/task.ts';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { config } from '#web/api/config.ts';
import type { SignedIn } from '#web/api/viewer.ts';
import { Age } from '#web/ui/age.tsx';
import { StatusGlyph } from '#web/ui/status-glyph.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { TaskFieldDifference } from './difference.tsx';
import classes from './history.module.css';
import { useRestore } from './mutations.ts';
import { removedBy, repeatsAfter, waitInWords, workChangesOf } from './past.ts';
import type { FullTask, HistoryEntry } from './queries.ts';
import { useTaskRules } from './rules.ts';
import { TaskSection } from './section.tsx';

/** The number of visible entries before expanding. */
const shownAtFirst = 6;

/** A task's history, newest first: who, when, from and to, why, and how long it had waited. */
export function TaskHistory({ task, viewer }: { task: FullTask; viewer: SignedIn }) {
  const [all, setAll] = useState(false);
  const entries = task.history.toSorted((a, b) => b.version - a.version);
  const oldestFirst = entries.toReversed();
  const shown = all ? entries : entries.slice(0, shownAtFirst);
  return (
    <TaskSection title="History" count={entries.length}>
      <ol className={classes.entries}>
        {shown.map((entry, index) => (
          <Entry key={entry.id} entry={entry} undone={wasUndone(oldestFirst, entries.length - 1 - index)}>
            <RestoreRemoved entry={entry} task={task} viewer={viewer} />
          </Entry>
        ))}
      </ol>
      {entries.length > shownAtFirst && (
        <button type="button" className={classes.more} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show less' : `Show all ${entries.length}`}
        </button>
      )}
    </TaskSection>
  );
}

function Entry({ entry, undone, children }: { entry: HistoryEntry; undone: boolean; children: ReactNode }) {
  const repeats = repeatsAfter(entry);
  const waited = isDecisionEvent(entry.event) ? waitInWords(entry.waitedSeconds) : null;
  return (
    <li className={classes.entry}>
      <StatusGlyph status={entry.to} />
      <div className={classes.words}>
        <p>
          <strong>{entry.forName ? `${entry.actorName} for ${entry.forName}` : entry.actorName}</strong>{' '}
          {taskEvents[entry.event]}{' '}
          <span className={classes.when}>
            <Age instant={entry.at} zone={config().companyTimeZone} ago />
          </span>
          {undone && <span className={classes.correction}>undone</span>}
          {entry.correction && <span className={classes.correction}>correction</span>}
        </p>
        {entry.from !== entry.to && (
          <p className={classes.step}>
            {taskStatuses[entry.from].title} → {taskStatuses[entry.to].title}
            {waited && `, after waiting ${waited}`}
          </p>
        )}
        {repeats && <p className={classes.step}>{repeatSentence(repeats)}</p>}
        {entry.change && <p className={classes.change}>{entry.change}</p>}
        <EntryDifference entry={entry} />
        {children}
      </div>
    </li>
  );
}

function EntryDifference({ entry }: { entry: HistoryEntry }) {
  const [open, setOpen] = useState(false);
  const changes = workChangesOf(entry);
  if (entry.event === 'created' || changes.length === 0) return null;
  const names = listWords(changes.map(({ field }) => fieldTitles[field].toLowerCase()));
  return (
    <>
      <button type="button" className={classes.more} aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Hide changes' : `Show changes to ${names}`}
      </button>
      {open && changes.map((change) => <TaskFieldDifference key={change.field} change={change} />)}
    </>
  );
}

/** After Undo is gone: for the person who removed the note or file, and for admins. */
function RestoreRemoved({ entry, task, viewer }: { entry: HistoryEntry; task: FullTask; viewer: SignedIn }) {
  const removed = removedBy(entry, task);
  const { task: known, owner } = useTaskRules(viewer, task);
  const what = removed?.what ?? 'note';
  const restore = useRestore(what);
  // Only its author or an admin can have removed it.
  const removal = { authorId: entry.actorId, removedBy: entry.actorId };
  if (!removed || restoringRefusal(viewer, known, owner, removal, what) !== null) return null;
  if (what === 'file' && goneFileRefusal(Temporal.Instant.from(entry.at), Temporal.Now.instant())) return null;
  return (
    <Writes>
      <button
        type="button"
        className={classes.more}
        onClick={() => restore.mutate({ taskId: task.id, itemId: removed.itemId })}
      >
        {what === 'note' ? 'Restore the note' : 'Restore the file'}
      </button>
    </Writes>
  );
}
