import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { isAdmin, type Viewer } from '#core/access/access.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import { importableDatasets } from '#core/numbers/imports.ts';
import { saveDraft, savedDraft } from '#web/api/drafts.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Writes } from '#web/ui/writes.tsx';
import type { ChosenFile } from './chosen-file.ts';
import { FileStep } from './file-step.tsx';
import { factsOf, mappingsQuery, type Preview, type SavedMapping } from './import-calls.ts';
import classes from './import-wizard.module.css';
import { LastImports } from './last-imports.tsx';
import { draftOf, formatOf, type MappingDraft, newDraft, sourceOf } from './mapping-draft.ts';
import { MappingStep } from './mapping-step.tsx';
import { RunStep } from './run-step.tsx';
import { ServiceTokens } from './service-tokens.tsx';
import { type Importing, useImport } from './use-import.ts';
import { usePreview } from './use-preview.ts';

type Kept = {
  readonly dataset: DatasetKey;
  readonly chosen: ChosenFile | null;
  /** Name of the file that was chosen last. */
  readonly fileName: string;
  /** What was saved when it was chosen, saved or first edited. */
  readonly saved: SavedMapping | null;
  /** By dataset, mapping and sheet, so looking at another one loses no edits. */
  readonly changed: Readonly<Record<string, Edited | undefined>>;
  /** What a new mapping of this file keeps when another encoding changes its columns. */
  readonly begunWith: BegunWith | null;
  /** A workbook's sheet: empty means its first, null the saved mapping's. */
  readonly sheet: string | null;
};

type BegunWith = Pick<MappingDraft, 'source' | 'zone' | 'encoding'>;

/** Edits of a saved mapping are for what was saved then, those of a new one for files with the same columns. */
type Edited = {
  readonly draft: MappingDraft;
  readonly of: string;
  /** The file they were made for; unknown of drafts from earlier versions. */
  readonly fileName?: string | undefined;
};

type Changed = Kept['changed'];
type Saving = { readonly was: SavedMapping | null; readonly edits: Edited | undefined; readonly next: SavedMapping };

const nothingKept: Kept = {
  ...{ dataset: 'orders', chosen: null, fileName: '', saved: null, changed: {}, begunWith: null, sheet: null },
};
/** By person. It stays while they look at another tab, and all but the file, which can't be stored, in a draft. */
const kept = new Map<string, Kept>();
const draftKey = 'import-mapping';

const editsIn = (changed: Changed): boolean => Object.values(changed).some((edits) => edits !== undefined);

/** Every field that an earlier version didn't know has its first value. */
function completed({ draft, ...rest }: Edited): Edited {
  const blank = newDraft(draft.dataset, draft.source, []);
  return { ...rest, draft: { ...blank, ...draft, fields: { ...blank.fields, ...draft.fields } } };
}

function keptOf(personId: string): Kept {
  const known = kept.get(personId);
  if (known) return known;
  const draft = { ...nothingKept, ...savedDraft<Omit<Kept, 'chosen'>>(personId, draftKey) };
  const edits = Object.entries(draft.changed).flatMap(([key, edited]) => (edited ? [[key, completed(edited)]] : []));
  const found = { ...draft, changed: Object.fromEntries(edits) };
  kept.set(personId, found);
  return found;
}

function keepAll(personId: string, next: Kept): void {
  kept.set(personId, next);
  const { chosen: _, ...rest } = next;
  saveDraft(personId, draftKey, editsIn(next.changed) ? rest : null);
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The same after another tab: what was being saved or read then ends in a wizard that is gone. */
function useKept<Name extends keyof Kept>(personId: string, name: Name) {
  const value = useSyncExternalStore(subscribe, () => keptOf(personId)[name]);
  const keep = (next: Kept[Name]) => keepAll(personId, { ...keptOf(personId), [name]: next });
  return [value, keep] as const;
}

function begunDraft(dataset: DatasetKey, { file }: ChosenFile, preview: Preview, sheet: string): MappingDraft {
  const { columns, unique, sampleRows } = preview;
  // One row says nothing of its values.
  const known = sampleRows > 1 ? { unique } : {};
  return newDraft(dataset, sourceOf(file.name), columns, { sheet, ...known, facts: factsOf(preview) });
}

/** Null if they are edits of something else. */
const draftIn = (edits: Edited | undefined, of: string | readonly string[]): MappingDraft | null =>
  edits?.of === JSON.stringify(of) ? edits.draft : null;

/** Without the edits that were saved. What was typed since stays, and so do edits of its other sheets. */
function afterSaving(changed: Changed, key: string, { was, edits, next }: Saving): Changed {
  const before = was?.name === next.name ? JSON.stringify(was.mapping) : null;
  const others = Object.entries(changed).filter(([other, edited]) => other !== key || edited !== edits);
  const [dataset, , sheet] = JSON.parse(key) as readonly unknown[];
  const of = JSON.stringify(next.mapping);
  return Object.fromEntries(
    others.map(([other, edited]) => {
      // Typed into a new mapping while its file was sent.
      if (other === key && was === null && edited)
        return [JSON.stringify([dataset, next.name, sheet]), { ...edited, of }];
      return [other, edited?.of === before ? { ...edited, of } : edited];
    }),
  );
}

/** The person may be unable to import it, or no longer able. */
function importableOf(viewer: Viewer, wanted: DatasetKey): DatasetKey {
  const datasets = importableDatasets(viewer);
  return datasets.includes(wanted) ? wanted : (datasets[0] ?? wanted);
}

/** The saved mapping of now. While it has edits, they are of what was saved when they began. */
function useSavedMapping(viewer: Viewer, dataset: DatasetKey) {
  const personId = viewer.id;
  const [last, setSaved] = useKept(personId, 'saved');
  const based = last?.dataset === dataset ? last : null;
  const [changed, setChanged] = useKept(personId, 'changed');
  const { data: mappings = [] } = useQuery(mappingsQuery);
  const isEdited = based !== null && Object.values(changed).some((edits) => draftIn(edits, based.mapping));
  const now = mappings.find((other) => other.name === based?.name && other.dataset === based.dataset);
  const saved = isEdited ? based : (now ?? based);
  const keyOf = (sheet: string) => JSON.stringify([dataset, saved?.name ?? null, sheet]);
  const onSaved = (sheet: string, next: SavedMapping) => {
    // Something else was chosen while it was being saved.
    const now = keptOf(personId);
    if (importableOf(viewer, now.dataset) !== dataset || now.saved?.name !== saved?.name) return;
    const key = keyOf(sheet);
    setChanged(afterSaving(now.changed, key, { was: saved, edits: changed[key], next }));
    setSaved(next);
  };
  return { saved, setSaved, changed, setChanged, keyOf, onSaved };
}

type Mapped = Pick<ReturnType<typeof useSavedMapping>, 'saved' | 'changed'>;

/** The file with what its columns depend on, and the edits that wait for it after a reload. */
function useChosenFile(personId: string, dataset: DatasetKey, { saved, changed }: Mapped, importing: Importing) {
  const [chosen, setChosen] = useKept(personId, 'chosen');
  const [fileName, setFileName] = useKept(personId, 'fileName');
  const [begunWith, setBegunWith] = useKept(personId, 'begunWith');
  const [chosenSheet, setSheet] = useKept(personId, 'sheet');
  const onChoose = (next: ChosenFile) => {
    setChosen(next);
    importing.clear();
    setFileName(next.file.name);
    // Its columns were read in the encoding and sheet that were chosen.
    if (!chosen && next.file.name === fileName) return;
    setBegunWith(null);
    // The same mapping probably fits the next file of the same kind, and so do edits for its columns.
    if (!saved) setSheet('');
  };
  const onForget = () => keepAll(personId, { ...nothingKept, dataset });
  const waiting = !chosen && editsIn(changed) ? { fileName, onForget } : null;
  return { chosen, begunWith, setBegunWith, chosenSheet, setSheet, onChoose, waiting };
}

/** The file, its sheet and its mapping, and what each choice does to the others. */
function useWizard(importing: Importing) {
  const viewer = useViewer();
  const [wanted, setDataset] = useKept(viewer.id, 'dataset');
  const dataset = importableOf(viewer, wanted);
  const mapping = useSavedMapping(viewer, dataset);
  const { saved, setSaved, changed, setChanged, keyOf, onSaved } = mapping;
  const choice = useChosenFile(viewer.id, dataset, mapping, importing);
  const { chosen, begunWith, setBegunWith, chosenSheet, setSheet } = choice;
  const savedDraft = saved && draftOf(dataset, saved.mapping);
  const sheet = chosenSheet ?? savedDraft?.sheet ?? '';
  const edits = changed[keyOf(sheet)];
  // The columns depend only on the mapping's format, and a new mapping starts with them.
  const format = savedDraft
    ? formatOf(draftIn(edits, saved.mapping) ?? savedDraft)
    : begunWith && formatOf({ ...begunWith, delimiter: '', rest: {} });
  const preview = usePreview(dataset, chosen, format, sheet);
  const { columns } = preview.data ?? {};
  const begun = savedDraft
    ? { ...savedDraft, sheet }
    : preview.data && chosen && { ...begunDraft(dataset, chosen, preview.data, sheet), ...begunWith };
  const basis = saved ? saved.mapping : (columns ?? []);
  const edited = draftIn(edits, basis);
  const draft = edited ?? begun ?? null;
  const keepEdits = (of: string, next: MappingDraft) => {
    setSaved(saved);
    const fileName = (edited ? edits?.fileName : undefined) ?? chosen?.file.name;
    setChanged({ ...changed, [keyOf(of)]: { draft: next, of: JSON.stringify(basis), fileName } });
  };
  const onChange = (next: MappingDraft) => {
    keepEdits(sheet, next);
    const { source, zone, encoding } = next;
    if (!saved && encoding !== draft?.encoding) setBegunWith({ source, zone, encoding });
  };
  const onMapping = (next: SavedMapping | null) => {
    setSaved(next);
    setSheet(next ? null : sheet);
  };
  const onDataset = (next: DatasetKey) => {
    setDataset(next);
    onMapping(null);
  };
  const onSheet = (next: string) => {
    importing.clear();
    const isFirst = next === preview.data?.workbook?.sheets[0];
    const to = isFirst && next !== savedDraft?.sheet ? '' : next;
    // A saved mapping probably fits every sheet; a new one starts with the sheet's columns.
    if (saved && draft && !changed[keyOf(to)]) keepEdits(to, { ...draft, sheet: to });
    setSheet(to);
  };
  const isFresh = saved === null && edited === null;
  const onDiscard = edited && (() => setChanged({ ...changed, [keyOf(sheet)]: undefined }));
  const { waiting, onChoose } = choice;
  const isOfOther = edited !== null && edits?.fileName !== undefined && edits.fileName !== chosen?.file.name;
  const editsOf = isOfOther ? edits.fileName : null;
  const shown = { editsOf, dataset, chosen, waiting, saved, isFresh, preview, sheet };
  const file = { ...shown, onDataset, onChoose, onSheet, onMapping, onDiscard };
  return { file, columns, draft, onChange, onSaved: (next: SavedMapping) => onSaved(sheet, next) };
}

/**
 * From another system's file to rows of numbers: file, columns, dry run, import. Every step stays editable.
 */
export default function ImportWizard() {
  const viewer = useViewer();
  const importing = useImport();
  const { file, columns, draft, onChange, onSaved } = useWizard(importing);
  const { chosen, saved } = file;
  return (
    <div className={classes.steps}>
      <FileStep {...file} isLocked={importing.isUnderWay} />
      {chosen && columns && draft && (
        <>
          <MappingStep
            key={`${file.dataset} ${saved?.name}`}
            draft={draft}
            chosen={chosen}
            columns={columns}
            ran={importing.order?.dataset === file.dataset ? (importing.run?.reasons ?? []) : []}
            onChange={onChange}
          />
          <Writes>
            <RunStep
              key={`${chosen.file.name} ${chosen.file.lastModified}`}
              draft={draft}
              chosen={chosen}
              saved={saved}
              onChange={onChange}
              onSaved={onSaved}
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
