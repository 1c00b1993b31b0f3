import { type DraftAbout, useHasDraftAbout } from '#web/api/drafts.ts';
import { Pill } from '#web/ui/pill.tsx';

const words = { task: 'Your draft', person: 'Unsaved changes' } as const satisfies Record<DraftAbout, string>;

type Props = { readonly about: DraftAbout; readonly id: string };

/** On a row or card whose form is closed: what the viewer typed there is kept, but not sent. */
export const DraftMark = ({ about, id }: Props) =>
  useHasDraftAbout(about, id) && (
    <Pill tone="warn" title="You typed something here that isn’t sent yet. Open it to continue">
      {words[about]}
    </Pill>
  );
