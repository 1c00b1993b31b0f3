import { Button } from '@mantine/core';
import { IconAlertTriangle, IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { canUseApplication } from '#core/access/access.ts';
import { instantWithYear } from '#core/base/day-words.ts';
import type { WaysIn } from '#web/api/account.ts';
import { config } from '#web/api/config.ts';
import { useOwnApprovers } from '#web/api/my-approvers.ts';
import { secondFactorsQuery } from '#web/api/second-factors.ts';
import { useViewer } from '#web/api/viewer.ts';
import { OwnApproversSentence } from '#web/shell/own-approvers.tsx';
import { usePageTitle } from '#web/shell/page-title.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { Absences } from '../shared/absences.tsx';
import { accountQuery, newSignInsQuery, useAcknowledge } from './account-calls.ts';
import classes from './account-page.module.css';
import { Activity } from './activity.tsx';
import { Feeds, Tokens } from './feeds.tsx';
import { RoleRequirements } from './role-requirements.tsx';
import { Sessions } from './sessions.tsx';
import { SignInWays } from './sign-in-ways.tsx';
import { SignOutDialogs } from './sign-out-dialog.tsx';

export default function AccountPage() {
  return useViewer().viewing ? <ViewedAccount /> : <OwnAccount />;
}

const sentence = 'Your profile, sign-in methods and sessions.';

/** What an admin sees as someone else: nothing that only this person can see. */
function ViewedAccount() {
  const viewer = useViewer();
  return (
    <>
      <PageHead title={usePageTitle()} sentence={sentence} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <Panel flush>
            <EmptyState title="Sign-in and activity are hidden">
              Only {viewer.name} can see them here. User Management lists this person’s sign-in methods.
            </EmptyState>
          </Panel>
        </div>
        <div className={classes.column}>
          <Profile />
          {canUseApplication(viewer) && <Absences userId={viewer.id} name={null} />}
          <RoleRequirements />
        </div>
      </div>
    </>
  );
}

function OwnAccount() {
  const { data: ways, error, refetch } = useQuery(accountQuery);
  const others = [useQuery(newSignInsQuery), useQuery(secondFactorsQuery)];
  // All of it at once: what came later would move the rest. It stays when something is read again.
  const [isReady, setReady] = useState(false);
  if (!isReady && (ways || error) && !others.some((query) => query.isLoading)) setReady(true);
  const [leaving, setLeaving] = useState<'asked' | 'securing' | null>(null);
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence={sentence}
        actions={
          <Writes>
            <Button
              variant="default"
              className={classes.danger ?? ''}
              leftSection={<IconLogout size={16} stroke={1.7} />}
              disabled={!ways}
              onClick={() => setLeaving('asked')}
            >
              Sign out everywhere
            </Button>
          </Writes>
        }
      />
      <Loading loading={!isReady} skeleton={<AccountSkeleton />}>
        <NewSignIns onSecure={() => setLeaving('securing')} />
        <div className={classes.columns}>
          <div className={classes.column}>
            {error && !ways && (
              <Panel title="Sign-in">
                <PanelError
                  sentence="Couldn’t load your sign-in settings."
                  requestId={error.requestId}
                  onRetry={() => void refetch()}
                />
              </Panel>
            )}
            {ways && <SignInWays ways={ways} />}
            {ways && <Sessions sessions={ways.sessions} onEndOthers={() => setLeaving('asked')} />}
          </div>
          <AboutMe ways={ways} />
        </div>
      </Loading>
      {ways && leaving && (
        <SignOutDialogs ways={ways} securing={leaving === 'securing'} onClose={() => setLeaving(null)} />
      )}
    </>
  );
}

const AccountSkeleton = () => (
  <div className={classes.columns}>
    <Panel title="Sign-in">
      <SkeletonRows rows={6} />
    </Panel>
    <Panel title="Profile">
      <SkeletonRows rows={4} />
    </Panel>
  </div>
);

/** One question for each sign-in on a new device. */
function NewSignIns({ onSecure }: { readonly onSecure: () => void }) {
  const { data, error, refetch } = useQuery(newSignInsQuery);
  const answer = useAcknowledge();
  if (error && !data)
    return (
      <PanelError
        sentence="Couldn’t load your new sign-ins."
        requestId={error.requestId}
        onRetry={() => void refetch()}
      />
    );
  return data?.map(({ id, at, device, address, answerable = true }) => (
    <section key={id} className={classes.question} aria-label={`New sign-in: ${device}`}>
      <IconAlertTriangle size={20} stroke={1.7} aria-hidden="true" />
      <p>
        <strong>New sign-in: {device}</strong> {address}, {instantWithYear(at, config().companyTimeZone)}. Was this you?
        {!answerable && ' If so, confirm it in a browser that you used before this one.'}
      </p>
      <Writes>
        <div className={classes.answers}>
          {answerable && (
            <Button variant="default" loading={answer.isPending} onClick={() => answer.mutate(id)}>
              Yes, it was me
            </Button>
          )}
          <Button variant="default" className={classes.danger ?? ''} onClick={onSecure}>
            No, secure my account
          </Button>
        </div>
      </Writes>
    </section>
  ));
}

function AboutMe({ ways }: { readonly ways: WaysIn | undefined }) {
  const viewer = useViewer();
  return (
    <div className={classes.column}>
      <Profile />
      {canUseApplication(viewer) && <Absences userId={viewer.id} name={null} />}
      <RoleRequirements />
      <Activity />
      {ways && <Feeds feeds={ways.calendarFeeds} />}
      {ways && ways.serviceTokens.length > 0 && <Tokens tokens={ways.serviceTokens} />}
    </div>
  );
}

/** The person's profile, which user management edits. */
function Profile() {
  const viewer = useViewer();
  const own = useOwnApprovers();
  return (
    <Panel title="Profile">
      <div className={classes.person}>
        <Avatar name={viewer.name} size={48} />
        <div>
          <p className={classes.name}>{viewer.name}</p>
          <p className={classes.quiet}>{viewer.role ?? 'No role'}</p>
        </div>
      </div>
      <dl className={classes.facts}>
        <dt>Email</dt>
        <dd>{viewer.email}</dd>
        {own && (
          <>
            <dt>Approver</dt>
            <dd>{own.names ?? <OwnApproversSentence own={own} />}</dd>
          </>
        )}
        <dt>Time zone</dt>
        <dd>{config().companyTimeZone.replaceAll('_', ' ')}</dd>
      </dl>
    </Panel>
  );
}
