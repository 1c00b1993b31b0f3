import { ActionIcon } from '@mantine/core';
import { IconChartLine, IconDownload, IconTable } from '@tabler/icons-react';
import type { ChartTable } from './chart-table.tsx';
import { saveCsv } from './save-csv.ts';

type Props = {
  readonly chartTable: ChartTable;
  /** The CSV's name, if the caption doesn't say enough. */
  readonly fileName?: string | undefined;
  readonly asTable: boolean;
  readonly onChange: (asTable: boolean) => void;
};

type ExportProps = {
  readonly of: string;
  readonly title?: string;
  readonly isPending?: boolean;
  readonly onExport: () => void;
};

export function ExportButton({ of, title = 'Export CSV', isPending = false, onExport }: ExportProps) {
  return (
    <ActionIcon aria-label={`Export ${of} as CSV`} title={title} loading={isPending} onClick={onExport}>
      <IconDownload size={17} stroke={1.7} />
    </ActionIcon>
  );
}

/** Switches a chart to its table, and saves the numbers. */
export function ChartTableActions({ chartTable, fileName = chartTable.caption, asTable, onChange }: Props) {
  const save = () =>
    saveCsv(
      fileName,
      chartTable.csvHead ?? chartTable.head,
      chartTable.rows.map(({ label, rawLabel = label, raw }) => [rawLabel, ...raw]),
    );
  const Icon = asTable ? IconChartLine : IconTable;
  return (
    <>
      {asTable && <ExportButton of={chartTable.caption} onExport={save} />}
      <ActionIcon
        aria-label={`View ${chartTable.caption} as table`}
        title={asTable ? 'View as chart' : 'View as table'}
        aria-pressed={asTable}
        onClick={() => onChange(!asTable)}
      >
        <Icon size={17} stroke={1.7} />
      </ActionIcon>
    </>
  );
}
