import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { viewingRefusal } from '#core/access/viewing.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { startViewing, type ViewAs } from '#web/api/viewing.ts';

type Props = { readonly as: ViewAs; readonly label?: string; readonly disabled?: boolean };

/** Shows the product as this person or role, read-only. Hidden from people who can't do that. */
export function ViewAsButton({ as, label = 'View as', disabled = false }: Props) {
  const viewer = useViewer();
  const start = useMutation({ mutationFn: () => startViewing(as) });
  if (viewer.viewing || viewingRefusal(viewer, 'role' in as ? 'role' : 'person') !== null) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconEye size={15} stroke={1.7} />}
      disabled={disabled}
      loading={start.isPending || start.isSuccess}
      onClick={() => start.mutate()}
    >
      {label}
    </Button>
  );
}
