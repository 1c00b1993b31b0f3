import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isAdmin } from '#core/access/access.ts';
import { bonusComponents } from '#core/toolbox/bonus.ts';
import { config } from '#web/api/config.ts';
import { useViewer } from '#web/api/viewer.ts';
import { usePageTitle } from '#web/shell/page-title.ts';
import { DecidedPersonSelect } from '#web/tasks/shared/decided-person-select.tsx';
import { Age } from '#web/ui/age.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './bonus-page.module.css';
import { type BonusOverview, overviewQuery } from './bonus-queries.ts';
import { planSentence } from './bonus-words.ts';
import { ExportEveryone } from './export-everyone.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { StatementPanel } from './statement-panel.tsx';
import { type BonusChoice, useBonusChoice } from './use-bonus-choice.ts';
import { WhatIf } from './what-if.tsx';

export default function BonusPage() {
  const viewer = useViewer();
  const overview = useQuery(overviewQuery);
  const [making, setMaking] = useState(false);
  const { data } = overview;
  const choice = useBonusChoice(data);
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={data && planSentence(data)}
        expected="The base amount is $120.00 per sprint under version 2, in effect since 2026 W40."
        actions={
          <div className={classes.choices}>
            <DecidedPersonSelect own="My own statement" personId={choice.userId} onPerson={choice.choosePerson} />
            {data && <ExportEveryone plans={data.bonusPlans} sprintId={choice.sprintId} />}
            {data && isAdmin(viewer) && (
              <Writes>
                <Button onClick={() => setMaking(true)}>New version</Button>
              </Writes>
            )}
          </div>
        }
      />
      {overview.isError && !data ? (
        <Panel flush>
          <PanelError
            sentence="Couldn’t load the bonus."
            onRetry={() => void overview.refetch()}
            requestId={overview.error.requestId}
          />
        </Panel>
      ) : (
        <Loading loading={!data} skeleton={<SkeletonRows rows={8} />}>
          {data && <Content overview={data} choice={choice} />}
        </Loading>
      )}
      {making && data && <PlanDialog overview={data} onClose={() => setMaking(false)} />}
    </>
  );
}

function Content({ overview, choice }: { overview: BonusOverview; choice: BonusChoice }) {
  const { bonusPlans, bonusQuestions } = overview;
  if (bonusPlans.length === 0)
    return (
      <Panel flush>
        <EmptyState title="No bonus plan yet">
          When an admin publishes one, you’ll see it here with your statement.
        </EmptyState>
      </Panel>
    );
  return (
    <div className={classes.page}>
      <StatementPanel overview={overview} choice={choice} />
      <div className={classes.side}>
        {bonusQuestions.length > 0 && <QuestionsPanel questions={bonusQuestions} />}
        <WhatIf overview={overview} choice={choice} />
        <PlanPanel overview={overview} choice={choice} />
      </div>
      <HistoryPanel choice={choice} />
    </div>
  );
}

/** Questions that wait for the viewer's answer, oldest first; each links to its line. */
function QuestionsPanel({ questions }: { questions: BonusOverview['bonusQuestions'] }) {
  const zone = config().companyTimeZone;
  return (
    <Panel title="Questions for you" note={questions.length} flush>
      <ul className={classes.questions}>
        {questions.map(({ person, sprint, line, text, at }) => (
          <li key={`${person.id} ${sprint.id} ${line}`}>
            <Link
              className={classes.question}
              to="/top-5/tools/bonus"
              search={{ person: person.id, sprint: sprint.id, line }}
            >
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
