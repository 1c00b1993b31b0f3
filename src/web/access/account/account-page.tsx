import { Button } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageTitle } from '#web/shell/page-title.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { accountQuery } from './account-calls.ts';
import classes from './account-page.module.css';
import { Activity } from './activity.tsx';
import { Feeds, Tokens } from './feeds.tsx';
import { NewSignIns } from './new-sign-ins.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';
import { SignInWays } from './sign-in-ways.tsx';
import { SignOutDialogs } from './sign-out-dialog.tsx';

export default function AccountPage() {
  const { data: ways, error, refetch } = useQuery(accountQuery);
  const [leaving, setLeaving] = useState<'asked' | 'securing' | null>(null);
  return (
    <>
      <PageHead
        title={usePageTitle()}
        sentence="Who you are, and every way to sign in as you."
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
      <NewSignIns onSecure={() => setLeaving('securing')} />
      <div className={classes.columns}>
        <div className={classes.column}>
          {error && !ways ? (
            <Panel title="Sign-in">
              <PanelError
                sentence="Couldn’t load how your account is reached."
                requestId={error.requestId}
                onRetry={() => void refetch()}
              />
            </Panel>
          ) : (
            <Loading
              loading={!ways}
              skeleton={
                <Panel title="Sign-in">
                  <SkeletonRows rows={6} />
                </Panel>
              }
            >
              {ways && <SignInWays ways={ways} />}
              {ways && <Sessions sessions={ways.sessions} onEndOthers={() => setLeaving('asked')} />}
            </Loading>
          )}
        </div>
        <div className={classes.column}>
          <Profile />
          <Activity />
          {ways && <Feeds feeds={ways.calendarFeeds} />}
          {ways && ways.serviceTokens.length > 0 && <Tokens tokens={ways.serviceTokens} />}
        </div>
      </div>
      {ways && leaving && (
        <SignOutDialogs ways={ways} securing={leaving === 'securing'} onClose={() => setLeaving(null)} />
      )}
    </>
  );
}
