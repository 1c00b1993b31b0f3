import { writeSearch } from '#web/shell/address.ts';
import { showError, showToast } from '#web/ui/toasts.tsx';

/** Copies the address that opens this task for everyone with access. */
export async function copyTaskLink(task: { readonly id: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(`${location.origin}${location.pathname}${writeSearch({ task: task.id })}`);
    showToast({ message: 'Link copied' });
  } catch {
    // Browsers block the clipboard on pages loaded over plain http.
    showError('The browser blocked copying. Copy the link from the address bar');
  }
}
