import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { formatInstant } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { useMutation } from '#web/api/mutation.ts';
import { request } from '#web/api/request.ts';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './notice-choices.module.css';

const troubledDocument = graphql(`
  query TroubledMails {
    troubledMails {
      id
      to
      reason
      tries
      nextTry
    }
  }
`);

const retryDocument = graphql(`
  mutation RetryMails($ids: [ID!]!) {
    retryMails(ids: $ids) {
      id
    }
  }
`);

type TroubledMail = ResultOf<typeof troubledDocument>['troubledMails'][number];

const queryKey = ['notices', 'troubled-mails'] as const;

/** For admins: the failed mails, with the mail server's answer. */
export function TroubledMails() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => request(troubledDocument, {}, { signal }),
  });
  const retry = useMutation({
    mutationFn: (ids: string[]) => request(retryDocument, { ids }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  if (error && !data) return <PanelError sentence="Couldn’t load the failed emails." onRetry={() => void refetch()} />;
  const mails = data?.troubledMails ?? [];
  if (mails.length === 0) return null;
  return (
    <section className={classes.trouble}>
      <h3>Failed emails</h3>
      <ul className={classes.mails}>
        {mails.map((mail) => (
          <li key={mail.id} className={classes.mail}>
            <div>
              {mail.to}
              <div className={classes.reason}>
                {mail.reason}. {fate(mail)}
              </div>
            </div>
            <Writes>
              <Button
                variant="default"
                size="compact-sm"
                loading={retry.isPending && retry.variables.includes(mail.id)}
                onClick={() => retry.mutate([mail.id])}
              >
                Try again
              </Button>
            </Writes>
          </li>
        ))}
      </ul>
    </section>
  );
}

function fate({ tries, nextTry }: TroubledMail): string {
  const tried = tries === 1 ? 'once' : `${tries} times`;
  return nextTry === null
    ? `Tried ${tried}, then gave up`
    : `Tried ${tried}. Next try ${formatInstant(nextTry, config().companyTimeZone)}`;
}
