import { mentionedIn } from '#core/tasks/mentions.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import classes from './mention-list.module.css';
import { type Mentions, useMentionedPeople } from './use-mentions.ts';

/** The people whose name may be meant, right under the field that keeps the focus. */
export function MentionList({ mentions }: { mentions: Mentions }) {
  const { people, active, isOpen, listId, optionId, choose } = mentions;
  if (!isOpen) return null;
  return (
    <div id={listId} role="listbox" aria-label="People to mention" className={classes.list}>
      {people.map((person, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys.
        <div
          key={person.id}
          id={optionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={classes.person}
          // Before the field loses its focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(person)}
        >
          <Avatar name={person.displayName} size={22} />
          <span className={classes.name}>{person.displayName}</span>
          {!person.seesTask && <span className={classes.blind}>cannot see this task</span>}
        </div>
      ))}
    </div>
  );
}

const names = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Tells the writer whom a mention does not reach. */
export function UnseenMentions({ taskId, text }: { taskId: string; text: string }) {
  const blind = useMentionedPeople(taskId, mentionedIn(text)).filter(({ seesTask }) => !seesTask);
  if (blind.length === 0) return null;
  return (
    <p className={classes.unseen} role="status">
      {names.format(blind.map(({ displayName }) => displayName))} cannot see this task and will not be told.
    </p>
  );
}
