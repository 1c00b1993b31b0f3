import { Checkbox, Switch, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import { isAdmin } from '#core/access/access.ts';
import { type NoticeKind, noticeKinds } from '#core/notifications/notices.ts';
import { isSpan, type QuietHours } from '#core/notifications/quiet-hours.ts';
import { asApiError } from '#web/api/api-error.ts';
import { useChange } from '#web/api/change.ts';
import { config } from '#web/api/config.ts';
import { graphql, type ResultOf } from '#web/api/graphql.ts';
import { request } from '#web/api/request.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { Writes } from '#web/ui/writes.tsx';
import classes from './notice-choices.module.css';
import { TroubledMails } from './troubled-mails.tsx';

type Props = { readonly hours: QuietHours; readonly onChoose: (hours: QuietHours) => void };

/** When emails wait. Saved when a field is left, because half a time is a time too. */
function QuietHoursFields({ hours, onChoose }: Props) {
  const times = useTimes({ hours, onChoose });
  return (
    <section className={classes.quiet}>
      <Writes>
        <Switch
          label="Quiet hours"
          checked={hours.on}
          onChange={({ currentTarget }) => onChoose({ ...hours, on: currentTarget.checked })}
        />
        {hours.on && (
          <>
            <div className={classes.times}>
              <TextInput type="time" label="From" {...times.field('from')} />
              <TextInput type="time" label="To" {...times.field('to')} error={times.error} />
            </div>
            <Checkbox
              label="All day on weekends and company holidays"
              checked={hours.daysOff}
              onChange={({ currentTarget }) => onChoose({ ...hours, daysOff: currentTarget.checked })}
            />
          </>
        )}
      </Writes>
      <p className={classes.hint}>
        Emails wait until quiet hours end, then arrive as one.
        {hours.on &&
          ` Company time (${config().companyTimeZone}). Emails about your account, your access and your time away, and links to set a password, never wait. Sprint reminders that would be too late aren’t emailed.`}
      </p>
    </section>
  );
}

/** The two times while they are typed. */
function useTimes({ hours, onChoose }: Props) {
  const [typed, setTyped] = useState<Partial<Pick<QuietHours, 'from' | 'to'>>>({});
  const [error, setError] = useState<string | null>(null);
  const save = () => {
    const chosen = { ...hours, from: typed.from || hours.from, to: typed.to || hours.to };
    if (!isSpan(chosen)) return setError('From and To can’t be the same');
    setTyped({});
    if (chosen.from !== hours.from || chosen.to !== hours.to) onChoose(chosen);
  };
  // A dialog closed by Escape takes a field away that nobody left.
  const saveAtEnd = useEffectEvent(save);
  useEffect(() => () => saveAtEnd(), []);
  return {
    error,
    field: (name: 'from' | 'to') => ({
      value: typed[name] ?? hours[name],
      onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
        setError(null);
        setTyped((before) => ({ ...before, [name]: value }));
      },
      onBlur: save,
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === 'Enter') save();
      },
    }),
  };
}

const choicesDocument = graphql(`
  query NoticeChoices {
    sendsMails
    noticeChoices {
      kind
      inApp
      mail
    }
    quietHours {
      on
      from
      to
      daysOff
    }
  }
`);

const chooseDocument = graphql(`
  mutation ChooseNotices($kind: NoticeKind!, $inApp: Boolean!, $mail: Boolean!) {
    chooseNotices(kind: $kind, inApp: $inApp, mail: $mail) {
      kind
      inApp
      mail
    }
  }
`);

const quietDocument = graphql(`
  mutation ChooseQuietHours($on: Boolean!, $from: String!, $to: String!, $daysOff: Boolean!) {
    chooseQuietHours(on: $on, from: $from, to: $to, daysOff: $daysOff) {
      on
    }
  }
`);

type Choices = ResultOf<typeof choicesDocument>;
type Choice = Choices['noticeChoices'][number];

const queryKey = ['notices', 'choices'] as const;

/** The notification settings. Every change is saved immediately and applies from the next event on. */
export function NoticeChoices({ onClose }: { onClose: () => void }) {
  const viewer = useViewer();
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => request(choicesDocument, {}, { signal }),
  });
  const chooseQuietHours = useSaved(
    (hours: QuietHours) => request(quietDocument, hours),
    (known, quietHours) => ({ ...known, quietHours }),
  );
  return (
    <Dialog opened title="Notification settings" onClose={onClose} width={560}>
      <Loading loading={isPending} skeleton={<SkeletonRows rows={5} />}>
        {error && !data && (
          <PanelError
            sentence="Couldn’t load your settings."
            requestId={asApiError(error).requestId}
            onRetry={() => void refetch()}
          />
        )}
        {data && <ChoiceTable {...data} />}
        {data?.sendsMails && <QuietHoursFields hours={data.quietHours} onChoose={chooseQuietHours} />}
      </Loading>
      {data?.sendsMails && isAdmin(viewer) && <TroubledMails />}
    </Dialog>
  );
}

function ChoiceTable({ noticeChoices, sendsMails }: Omit<Choices, 'quietHours'>) {
  const choose = useSaved(
    (choice: Choice) => request(chooseDocument, choice),
    (known, choice) => ({
      ...known,
      noticeChoices: known.noticeChoices.map((one) => (one.kind === choice.kind ? choice : one)),
    }),
  );
  return (
    <>
      <table className={classes.table}>
        <caption className="visually-hidden">Notification settings</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col" className={classes.place}>
              In the app
            </th>
            <th scope="col" className={classes.place}>
              By email
            </th>
          </tr>
        </thead>
        <tbody>
          {noticeChoices.filter(isKnown).map((choice) => (
            <ChoiceRow key={choice.kind} choice={choice} sendsMails={sendsMails} onChoose={choose} />
          ))}
        </tbody>
      </table>
      <p className={classes.hint}>
        {sendsMails
          ? 'Most emails wait a few minutes and skip what you’ve already read here.'
          : 'Email isn’t set up on this server.'}
      </p>
    </>
  );
}

type RowProps = {
  readonly choice: Choice;
  readonly sendsMails: boolean;
  readonly onChoose: (choice: Choice) => void;
};

/** A server of a newer version has kinds that this page doesn't know. */
const isKnown = ({ kind }: Choice): boolean => Object.hasOwn(noticeKinds, kind);

function ChoiceRow({ choice, sendsMails, onChoose }: RowProps) {
  const { title, meaning } = noticeKinds[choice.kind as NoticeKind];
  return (
    <tr>
      <th scope="row">
        <span className={classes.title}>{title}</span>
        <span className={classes.meaning}>{meaning}</span>
      </th>
      <td className={classes.place}>
        <Writes>
          <Checkbox
            aria-label={`${title}: in the app`}
            checked={choice.inApp}
            onChange={({ currentTarget }) => onChoose({ ...choice, inApp: currentTarget.checked })}
          />
        </Writes>
      </td>
      <td className={classes.place}>
        <Writes>
          <Checkbox
            aria-label={`${title}: by email`}
            checked={choice.mail && sendsMails}
            disabled={!sendsMails}
            onChange={({ currentTarget }) => onChoose({ ...choice, mail: currentTarget.checked })}
          />
        </Writes>
      </td>
    </tr>
  );
}

/** Shown optimistically, and reverted if the server refuses. `show`: the settings with the choice. */
function useSaved<Chosen>(
  send: (chosen: Chosen) => Promise<unknown>,
  show: (known: Choices, chosen: Chosen) => Choices,
): (chosen: Chosen) => void {
  const client = useQueryClient();
  const { mutate } = useChange({
    send,
    touches: [queryKey],
    scope: { id: 'notice-choices' },
    guess: (chosen) => {
      const before = client.getQueryData<Choices>(queryKey);
      client.setQueryData<Choices>(queryKey, (known) => known && show(known, chosen));
      return () => client.setQueryData(queryKey, before);
    },
  });
  return mutate;
}
