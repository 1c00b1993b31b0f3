import { writeSearch } from '#web/shell/address.ts';
import { showError, showToast } from '#web/ui/toasts.tsx';

/** Copies the address that opens this task for everybody who may see it. */
export async function copyTaskLink(task: { readonly id: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(`${location.origin}${location.pathname}${writeSearch({ task: task.id })}`);
    showToast({ message: 'Link copied' });
  } catch {
    // Browsers keep the clipboard from pages that came over plain http.
    showError('The browser blocked copying. Copy the link from the address bar');
  }
}
