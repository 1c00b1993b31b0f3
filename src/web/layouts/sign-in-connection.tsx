import { Menu } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { asApiError } from '#web/api/api-error.ts';
import { type Connection, disconnect, leaveToConnect, readConnection } from '#web/api/single-sign-on.ts';
import { showError, showToast } from '#web/ui/toasts.tsx';
import { useReadOnly } from '#web/ui/writes.tsx';

const connectionKey = ['viewer', 'connection'] as const;

/** Connects the person to the identity provider, or ends that. Whoever has no password keeps it: it is the only way in. */
export function SignInConnection({ name }: { name: string }) {
  const client = useQueryClient();
  // Whose account it would be is not who signs in.
  const readOnly = useReadOnly() !== null;
  const { data } = useQuery({ queryKey: connectionKey, queryFn: readConnection });
  const failed = (error: unknown) => showError(asApiError(error).message);
  const connect = useMutation({ mutationFn: leaveToConnect, meta: { quiet: true }, onError: failed });
  const end = useMutation({
    mutationFn: disconnect,
    meta: { quiet: true },
    onError: failed,
    onSuccess: () => {
      client.setQueryData<Connection>(connectionKey, { connected: false, hasPassword: true });
      showToast({ message: `Disconnected from ${name}` });
    },
  });
  if (!data || readOnly || (data.connected && !data.hasPassword)) return null;
  const icon = <IconKey size={16} stroke={1.7} />;
  return data.connected ? (
    <Menu.Item leftSection={icon} onClick={() => end.mutate()}>
      Disconnect from {name}
    </Menu.Item>
  ) : (
    <Menu.Item leftSection={icon} onClick={() => connect.mutate()}>
      Connect to {name}
    </Menu.Item>
  );
}
