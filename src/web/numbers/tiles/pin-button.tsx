import { ActionIcon } from '@mantine/core';
import { IconPin, IconPinFilled } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Metric } from '#core/numbers/metrics.ts';
import { isPinned, pin, pinnedNumbersQuery, unpin } from '#web/api/pinned-numbers.ts';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import type { View } from '../shared/view.ts';

type Props = { readonly view: View; readonly name: string; readonly metric: Metric };

/** Keeps the number on the start page. */
export function PinButton({ view: { dataset, scope }, name, metric }: Props) {
  const client = useQueryClient();
  const pinned = useQuery(pinnedNumbersQuery).data ?? [];
  const number = { dataset, scope, metric: name };
  const on = isPinned(pinned, number);
  const change = useMutation({
    mutationFn: () => (on ? unpin(number) : pin(number)),
    meta: { what: on ? 'Unpinning the number' : 'Pinning the number' },
    onSuccess: (all) => {
      client.setQueryData(pinnedNumbersQuery.queryKey, all);
      showToast({ message: on ? `${metric.title} is off your start page` : `${metric.title} is on your start page` });
    },
  });
  const Icon = on ? IconPinFilled : IconPin;
  const label = on ? `Unpin ${metric.title} from My week` : `Pin ${metric.title} to My week`;
  return (
    <Writes>
      <ActionIcon
        size={24}
        aria-label={label}
        title={label}
        aria-pressed={on}
        disabled={change.isPending}
        onClick={() => change.mutate()}
      >
        <Icon size={15} stroke={1.7} />
      </ActionIcon>
    </Writes>
  );
}
