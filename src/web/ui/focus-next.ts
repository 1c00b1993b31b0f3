// Keeps a keyboard user's place when the focused element disappears, such as a row that leaves its list.
// Otherwise the next Tab would start at the top of the page.

type Place = { readonly element: Element /** Among its parent's children. */; readonly index: number };

/** A focused element and what was around it, from the inside out. */
type Step = { readonly target: HTMLElement; readonly around: readonly Place[] };

/** A dialog's steps lead back to what opened it. */
const mostSteps = 12;
/** Elements that take the focus on their own do so within this time. */
const settleMs = 80;

let steps: readonly Step[] = [];
/** With a pointer, nothing is focused: that could scroll the page under it. */
let isByKey = false;

/** Called once by the shell. */
export function keepPlaceOfFocus(): () => void {
  let timer = 0;
  const note = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && target !== document.body)
      steps = [...steps.filter((step) => step.target !== target), stepOf(target)].slice(-mostSteps);
  };
  const onKey = () => {
    isByKey = true;
  };
  const onPointer = () => {
    isByKey = false;
  };
  const watch = new MutationObserver(() => {
    const last = steps.at(-1);
    if (!isByKey || !last || isUsable(last.target)) return;
    clearTimeout(timer);
    timer = window.setTimeout(focusNext, settleMs);
  });
  document.addEventListener('focusin', note);
  window.addEventListener('keydown', onKey, true);
  window.addEventListener('pointerdown', onPointer, true);
  watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  return () => {
    document.removeEventListener('focusin', note);
    window.removeEventListener('keydown', onKey, true);
    window.removeEventListener('pointerdown', onPointer, true);
    watch.disconnect();
    clearTimeout(timer);
    steps = [];
  };
}

function stepOf(target: HTMLElement): Step {
  const around: Place[] = [];
  for (let element: Element | null = target; element && element !== document.body; element = element.parentElement)
    around.push({ element, index: [...(element.parentElement?.children ?? [])].indexOf(element) });
  return { target, around };
}

const isUsable = (target: HTMLElement): boolean => target.isConnected && !target.matches(':disabled');

/** A pending call can end either way, and an open dialog keeps the focus itself. */
const isKept = ({ target }: Step): boolean =>
  target.isConnected && (target.matches('[data-loading]') || target.closest('[aria-modal="true"]') !== null);

function focusNext(): void {
  const last = steps.at(-1);
  const active = document.activeElement;
  const isLost = active === document.body || active?.matches(':disabled') === true;
  if (!isLost || !last || isKept(last)) return;
  for (const step of steps.toReversed()) {
    const next = isUsable(step.target) ? step.target : nextOf(step);
    if (!next) continue;
    if (next.matches('h1, h2, h3')) next.tabIndex = -1;
    next.focus();
    return;
  }
}

/** In the same row, else in the row that came into its place, else the heading of the section. */
function nextOf({ around }: Step): HTMLElement | null {
  const at = around.findIndex(({ element }) => element.isConnected);
  const rest = around[at]?.element;
  // After a dialog, what opened it counts.
  const isOfDialog = around.slice(0, Math.max(0, at)).some(({ element }) => element.matches('[aria-modal]'));
  if (!rest || isOfDialog) return null;
  const row = rest.closest('li, tr');
  if (row) return controlIn(row) ?? headingOf(row);
  const gone = around[at - 1];
  if (gone && rest.matches('ul, ol, tbody')) {
    const next = rest.children[Math.min(gone.index, rest.children.length - 1)];
    const control = next && controlIn(next);
    if (control) return control;
  }
  return headingOf(rest);
}

/** A link first: pressing the same key again must not act on the next row. */
const controlIn = (row: Element): HTMLElement | null =>
  row.querySelector<HTMLElement>('a[href]') ?? row.querySelector<HTMLElement>('button:not(:disabled)');

function headingOf(element: Element): HTMLElement | null {
  const section = element.closest('section, article, form, main');
  if (!section) return null;
  return section.querySelector<HTMLElement>('h1, h2, h3') ?? headingOf(section.parentElement ?? document.body);
}
