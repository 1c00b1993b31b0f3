import { useState } from 'react';
import { isAdmin } from '#core/access/access.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Writes } from '#web/ui/writes.tsx';
import type { ChosenFile } from './chosen-file.ts';
import { FileStep } from './file-step.tsx';
import type { SavedMapping } from './import-calls.ts';
import classes from './import-wizard.module.css';
import { LastImports } from './last-imports.tsx';
import { draftOf, type MappingDraft, newDraft, sourceOf } from './mapping-draft.ts';
import { MappingStep } from './mapping-step.tsx';
import { RunStep } from './run-step.tsx';
import { ServiceTokens } from './service-tokens.tsx';
import { useImport } from './use-import.ts';
import { usePreview } from './use-preview.ts';

type Kept = {
  readonly dataset: DatasetKey;
  readonly chosen: ChosenFile | null;
  readonly saved: SavedMapping | null;
  readonly changed: MappingDraft | null;
};

const nothingKept: Kept = { dataset: 'orders', chosen: null, saved: null, changed: null };
/** One person's file and mapping, which stay while they look at another tab. A file can't be stored. */
let kept: Kept & { readonly personId: string } = { ...nothingKept, personId: '' };

function useKept<Name extends keyof Kept>(personId: string, name: Name) {
  const [value, setValue] = useState<Kept[Name]>(kept.personId === personId ? kept[name] : nothingKept[name]);
  const keep = (next: Kept[Name]) => {
    kept = { ...(kept.personId === personId ? kept : nothingKept), [name]: next, personId };
    setValue(next);
  };
  return [value, keep] as const;
}

/**
 * From another system's file to rows of numbers: file, columns, dry run, import. Every step stays editable.
 */
export default function ImportWizard() {
  const viewer = useViewer();
  const [dataset, setDataset] = useKept(viewer.id, 'dataset');
  const [chosen, setChosen] = useKept(viewer.id, 'chosen');
  const [saved, setSaved] = useKept(viewer.id, 'saved');
  const [changed, setChanged] = useKept(viewer.id, 'changed');
  const importing = useImport();
  // The columns don't depend on the mapping, and a new mapping starts with them.
  const plain = usePreview(dataset, chosen, null);
  const columns = plain.data?.columns;
  const begun = saved
    ? draftOf(dataset, saved.mapping)
    : columns && chosen && newDraft(dataset, sourceOf(chosen.file.name), columns);
  const draft = changed ?? begun ?? null;
  const begin = (next: SavedMapping | null) => {
    setSaved(next);
    setChanged(null);
  };
  return (
    <div className={classes.steps}>
      <FileStep
        dataset={dataset}
        chosen={chosen}
        saved={saved}
        preview={plain}
        isLocked={importing.isUnderWay}
        onDataset={(next) => {
          setDataset(next);
          begin(null);
        }}
        onChoose={(next) => {
          setChosen(next);
          importing.clear();
          // The same mapping probably fits the next file of the same kind.
          if (!saved) setChanged(null);
        }}
        onMapping={begin}
      />
      {chosen && columns && draft && (
        <>
          <MappingStep draft={draft} chosen={chosen} columns={columns} onChange={setChanged} />
          <Writes>
            <RunStep
              key={`${chosen.file.name} ${chosen.file.lastModified}`}
              draft={draft}
              chosen={chosen}
              saved={saved}
              importing={importing}
            />
          </Writes>
        </>
      )}
      <LastImports />
      {isAdmin(viewer) && <ServiceTokens />}
    </div>
  );
}
