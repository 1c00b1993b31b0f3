import { Link } from '@tanstack/react-router';
import { bonusComponents } from '#core/toolbox/bonus.ts';
import { config } from '#web/api/config.ts';
import { Age } from '#web/ui/age.tsx';
import { Panel } from '#web/ui/panel.tsx';
import classes from './bonus-page.module.css';
import type { BonusOverview } from './bonus-queries.ts';

/** Questions that wait for the viewer's answer, oldest first; each leads to its line. */
export function QuestionsPanel({ questions }: { questions: BonusOverview['bonusQuestions'] }) {
  const zone = config().companyTimeZone;
  return (
    <Panel title="Questions for you" note={questions.length} flush>
      <ul className={classes.questions}>
        {questions.map(({ person, sprint, line, text, at }) => (
          <li key={`${person.id} ${sprint.id} ${line}`}>
            <Link className={classes.question} to="." search={{ person: person.id, sprint: sprint.id, line } as never}>
              <span className={classes.quiet}>
                {person.displayName}, {sprint.name}, {bonusComponents[line].title}, <Age instant={at} zone={zone} ago />
              </span>
              <br />
              {text.length > 160 ? `${text.slice(0, 160)}…` : text}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
