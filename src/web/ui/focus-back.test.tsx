import { render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, test } from 'vitest';
import { useFocusBack } from './focus-back.ts';

/** A run that is shown here and elsewhere, with the button that stops it. */
function Run({ place, running }: { place: string; running: boolean }) {
  const home = useRef<HTMLDivElement>(null);
  const words = useFocusBack<HTMLParagraphElement>(running, home);
  return (
    <div ref={home}>
      <p ref={words} tabIndex={-1}>{`Words ${place}`}</p>
      {running && <button type="button">{`Stop ${place}`}</button>}
    </div>
  );
}

function Both({ here, there }: { here: boolean; there: boolean }) {
  return (
    <>
      <Run place="here" running={here} />
      <Run place="there" running={there} />
    </>
  );
}

afterEach(() => document.body.replaceChildren());

test.each([
  ['that place hears of it first', { here: false, there: true }],
  ['the other place hears of it first', { here: true, there: false }],
])('of two places that show a run, the one where it was stopped has the focus after it: %s', async (_when, first) => {
  const { rerender, unmount } = render(<Both here there />);
  const stop = screen.getByText('Stop here') as HTMLButtonElement;
  stop.focus();
  // As a browser does with a button that is disabled while it works.
  stop.blur();
  rerender(<Both {...first} />);
  rerender(<Both here={false} there={false} />);
  expect(document.activeElement?.textContent).toBe('Words here');
  unmount();
});

test('the focus that somebody has moved on stays there', () => {
  const { rerender, unmount } = render(<Both here there />);
  screen.getByText('Stop here').focus();
  screen.getByText('Stop there').focus();
  rerender(<Both here={false} there />);
  expect(document.activeElement?.textContent).toBe('Stop there');
  unmount();
});

function Editor({ open }: { open: boolean }) {
  const opener = useFocusBack(open);
  return (
    <div role="dialog" tabIndex={-1}>
      {open ? (
        <button type="button">Save</button>
      ) : (
        <button type="button" ref={opener}>
          Edit
        </button>
      )}
    </div>
  );
}

test('the focus that the dialog took from a disabled button goes back too', () => {
  const { rerender, unmount } = render(<Editor open />);
  screen.getByText('Save').focus();
  screen.getByRole('dialog').focus();
  rerender(<Editor open={false} />);
  expect(document.activeElement).toBe(screen.getByText('Edit'));
  unmount();
});
