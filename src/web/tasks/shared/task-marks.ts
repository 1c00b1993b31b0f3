// Finds and focuses the tasks on a page: cards of a board, rows of a list.

/** Every card and row has its task's id; the focusable element is it, or the control around it. */
const allMarks = () => [...document.querySelectorAll<HTMLElement>('[data-task]')];
/** Without those in folded columns. */
export const marks = () => allMarks().filter((mark) => mark.closest('[hidden]') === null);
const markOf = (taskId: string) => allMarks().find((mark) => mark.dataset.task === taskId);
export const focusOn = (mark: HTMLElement | undefined) => {
  const control = mark?.closest<HTMLElement>('a, button');
  control?.focus();
  control?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
};

export function focusedIndex(all: readonly HTMLElement[]): number {
  const { activeElement } = document;
  const around = activeElement?.closest('article, tr, li');
  // Without a focus the page's body is active, which contains them all.
  const control = activeElement?.closest('a, button');
  return all.findIndex((mark) => control?.contains(mark) || around?.contains(mark));
}

export function focusedTaskId(): string | null {
  const all = marks();
  return all[focusedIndex(all)]?.dataset.task ?? null;
}

/** Opens the menu of the row with the focus. */
export function openFocusedMenu(): void {
  const all = marks();
  const row = all[focusedIndex(all)]?.closest('tr, li');
  row?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click();
}

export function focusTask(taskId: string): void {
  focusOn(markOf(taskId));
}

export function showTask(taskId: string): void {
  markOf(taskId)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** The next or previous task of the page, also in a folded column; without a start, the first. */
export function neighbourOf(taskId: string | null, step: 1 | -1): string | null {
  const ids = allMarks().map((mark) => mark.dataset.task ?? '');
  const at = taskId === null ? -1 : ids.indexOf(taskId);
  return (at < 0 ? ids[0] : ids[at + step]) ?? null;
}

export const stepTo = (step: 1 | -1) => {
  const all = marks();
  const at = focusedIndex(all);
  focusOn(at < 0 ? all[0] : all[at + step]);
};
