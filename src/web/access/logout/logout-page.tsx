import { useQueries } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { homePath } from '#core/access/routes.ts';
import { capital, plural } from '#core/base/formats.ts';
import { type UnsentDraft, unsentDrafts } from '#web/api/drafts.ts';
import { graphql } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { stopViewing } from '#web/api/viewing.ts';
import { isViewing } from '#web/api/viewing-tab.ts';
import { leave } from '#web/shell/leave.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import classes from './logout-page.module.css';

/**
 * Removes the session and opens the sign-in page without a request (spec 4), but asks first if that deletes
 * drafts. When viewing as someone else, it only ends that.
 */
export default function LogoutPage() {
  // Once: stopping ends the viewing, and this page then must not sign out as well.
  const [viewing] = useState(isViewing);
  const [drafts, setDrafts] = useState<readonly UnsentDraft[]>([]);
  // In an effect: the page before stores what was typed last when it goes.
  useEffect(() => {
    const unsent = viewing ? [] : unsentDrafts();
    if (viewing) void stopViewing();
    else if (unsent.length === 0) leave();
    setDrafts(unsent);
  }, [viewing]);
  if (drafts.length > 0) return <LoseDrafts drafts={drafts} />;
  return <p role="status">{viewing ? 'Stopping…' : 'Signing out…'}</p>;
}

const taskDocument = graphql(`
  query DraftTask($taskId: ID!) {
    tasks(taskId: $taskId) {
      title
    }
  }
`);

const personDocument = graphql(`
  query DraftPerson($userId: ID!) {
    managedUser(userId: $userId) {
      user {
        displayName
      }
    }
  }
`);

type Subject = NonNullable<UnsentDraft['subject']>;

/** Null for something that the person can't see anymore. */
async function readTitle({ about, ids }: Subject, signal: AbortSignal): Promise<string | null> {
  const [id = ''] = ids;
  if (about === 'task') return (await request(taskDocument, { taskId: id }, { signal })).tasks[0]?.title ?? null;
  return (await request(personDocument, { userId: id }, { signal })).managedUser.user.displayName;
}

/** As many titles as a person reads here. The others are links without one. */
const mostTitles = 10;

/** What each draft is about: the dialog opens without it, also offline. */
function useTitles(drafts: readonly UnsentDraft[]): readonly (string | null)[] {
  const read = useQueries({
    queries: drafts.slice(0, mostTitles).map(({ subject }) => ({
      queryKey: ['draft title', subject?.about, subject?.ids[0]],
      queryFn: ({ signal }: { signal: AbortSignal }) => subject && readTitle(subject, signal),
      enabled: subject !== null,
      retry: false,
      gcTime: 0,
    })),
  });
  return drafts.map((_draft, at) => read[at]?.data ?? null);
}

const decisions: readonly string[] = ['reason', 'approve'];

function DraftLine({
  draft: { name, subject },
  title,
}: {
  readonly draft: UnsentDraft;
  readonly title: string | null;
}) {
  const [id, ...others] = subject?.ids ?? [];
  if (!subject || id === undefined) return capital(name);
  const what = title ?? `this ${subject.about}`;
  const more = others.length > 0 && ` and ${plural(others.length, 'more task', 'more tasks')}`;
  return (
    <>
      {capital(name)}: <SubjectLink {...subject} id={id} words={what} />
      {more}
    </>
  );
}

type LinkProps = Pick<Subject, 'about' | 'kind'> & { readonly id: string; readonly words: string };

function SubjectLink({ about, kind, id, words }: LinkProps) {
  if (about === 'person')
    return (
      <Link to="/usermanagement" search={{ person: id }}>
        {words}
      </Link>
    );
  if (decisions.includes(kind))
    return (
      <Link to="/top-5/approvals" search={{ task: id }}>
        {words}
      </Link>
    );
  return (
    <Link to="/top-5/tasks" search={{ task: id }}>
      {words}
    </Link>
  );
}

function LoseDrafts({ drafts }: { readonly drafts: readonly UnsentDraft[] }) {
  const titles = useTitles(drafts);
  const router = useRouter();
  const stay = () => (router.history.canGoBack() ? router.history.back() : void router.navigate({ to: homePath }));
  return (
    <ConfirmDialog
      opened
      title={`Sign out and delete ${plural(drafts.length, 'draft')}?`}
      confirm="Sign out"
      cancel="Stay signed in"
      danger
      isPage
      onConfirm={leave}
      onClose={stay}
    >
      <ul className={classes.drafts}>
        {drafts.map((draft, at) => (
          <li key={draft.key}>
            <DraftLine draft={draft} title={titles[at] ?? null} />
          </li>
        ))}
      </ul>
      Drafts are saved in this browser only. Signing out deletes them in all tabs.
    </ConfirmDialog>
  );
}
