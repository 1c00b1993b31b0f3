import { ActionIcon } from '@mantine/core';
import { IconChartLine, IconDownload, IconTable } from '@tabler/icons-react';
import { saveCsv } from './save-csv.ts';
import type { Twin } from './table-twin.tsx';

type Props = {
  readonly twin: Twin;
  readonly asTable: boolean;
  readonly onChange: (asTable: boolean) => void;
  /** What the file is called; the caption where nothing else is said. */
  readonly fileName?: string;
};

/** Switches a chart to the table of its numbers, and saves them. */
export function TwinActions({ twin, asTable, onChange, fileName = twin.caption }: Props) {
  const save = () =>
    saveCsv(
      fileName,
      twin.head,
      twin.rows.map(({ label, raw }) => [label, ...raw]),
    );
  const Icon = asTable ? IconChartLine : IconTable;
  return (
    <>
      {asTable && (
        <ActionIcon aria-label={`Export ${twin.caption} as CSV`} title="Export CSV" onClick={save}>
          <IconDownload size={17} stroke={1.7} />
        </ActionIcon>
      )}
      <ActionIcon
        aria-label={`View ${twin.caption} as table`}
        title={asTable ? 'View as chart' : 'View as table'}
        aria-pressed={asTable}
        onClick={() => onChange(!asTable)}
      >
        <Icon size={17} stroke={1.7} />
      </ActionIcon>
    </>
  );
}
