import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { instantWithYear } from '#core/base/day-words.ts';
import { config } from '#web/api/config.ts';
import { Writes } from '#web/ui/writes.tsx';
import { newSignInsQuery, useAcknowledge } from './account-calls.ts';
import classes from './account-page.module.css';

/** One question for each sign-in on a device that the person hasn't used before. */
export function NewSignIns({ onSecure }: { readonly onSecure: () => void }) {
  const { data } = useQuery(newSignInsQuery);
  const answer = useAcknowledge();
  return data?.map(({ id, at, device, address }) => (
    <section key={id} className={classes.question} aria-label={`New sign-in on ${device}`}>
      <IconAlertTriangle size={20} stroke={1.7} aria-hidden="true" />
      <p>
        <strong>New sign-in on {device}</strong> {address}, {instantWithYear(at, config().companyTimeZone)}. Was this
        you?
      </p>
      <Writes>
        <div className={classes.answers}>
          <Button variant="default" loading={answer.isPending} onClick={() => answer.mutate(id)}>
            Yes, it was me
          </Button>
          <Button variant="default" className={classes.danger ?? ''} onClick={onSecure}>
            No, secure my account
          </Button>
        </div>
      </Writes>
    </section>
  ));
}
