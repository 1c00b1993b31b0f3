import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Metric } from '#core/numbers/metrics.ts';
import { isGoal } from '#core/numbers/number-request.ts';
import { useMutation } from '#web/api/mutation.ts';
import type { View } from '#web/api/number-view.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form, useForm } from '#web/ui/form.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { bucketTitle } from '../shared/period-words.ts';
import { type Goal, setGoal } from './goal-queries.ts';

type Props = {
  /** In the page's currency. */
  readonly view: View;
  readonly name: string;
  readonly metric: Metric;
  readonly month: string;
  readonly goal: Goal | null;
  readonly onClose: () => void;
};

/** A typed amount as an exact decimal: "184,920.50". */
const amountOf = (typed: string): string | null => {
  // A comma only groups thousands: "1.500,50" could mean two amounts.
  const text = /^\d{1,3}(,\d{3})+(\.|$)/.test(typed.trim()) ? typed.replace(/[\s,]/g, '') : typed.replace(/\s/g, '');
  return isGoal(text) ? text : null;
};

export function GoalDialog({ view, name, metric, month, goal, onClose }: Props) {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (wanted: string | null) => setGoal(view, { metric: name, month, amount: wanted }),
    meta: { quiet: true },
    onSuccess: async (_answer, wanted) => {
      await client.invalidateQueries({ queryKey: ['number-goals', view.dataset] });
      showToast({ message: wanted === null ? 'Goal removed' : 'Goal set' });
      onClose();
    },
  });
  const form = useForm({
    initial: { amount: goal?.amount ?? '' },
    rule: ({ amount }) =>
      amountOf(amount)
        ? null
        : { field: 'amount', message: 'Enter an amount above zero. Use a period before decimals, such as 1,500.50' },
    mutation: save,
    variables: ({ amount }) => amountOf(amount),
  });
  const remove = goal && (
    <Button
      size="sm"
      variant="subtle"
      color="danger"
      disabled={save.isPending}
      onClick={() => save.mutate(null, { onError: form.refuse })}
    >
      Remove goal
    </Button>
  );
  return (
    <Dialog opened title={`Goal for ${bucketTitle(`${month}-01`, 'month')}`} onClose={onClose}>
      <Form form={form} submit="Set goal" actions={remove}>
        <TextInput
          label={view.currency ? `${metric.title} in ${view.currency}` : metric.title}
          inputMode="decimal"
          data-autofocus
          {...form.field('amount')}
        />
      </Form>
    </Dialog>
  );
}
