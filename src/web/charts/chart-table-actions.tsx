import { ActionIcon } from '@mantine/core';
import { IconChartLine, IconDownload, IconTable } from '@tabler/icons-react';
import type { ChartTable } from './chart-table.tsx';
import { saveCsv } from './save-csv.ts';

type Props = {
  readonly chartTable: ChartTable;
  readonly asTable: boolean;
  readonly onChange: (asTable: boolean) => void;
};

/** Switches a chart to its table, and saves the numbers. */
export function ChartTableActions({ chartTable, asTable, onChange }: Props) {
  const save = () =>
    saveCsv(
      chartTable.caption,
      chartTable.head,
      chartTable.rows.map(({ label, rawLabel = label, raw }) => [rawLabel, ...raw]),
    );
  const Icon = asTable ? IconChartLine : IconTable;
  return (
    <>
      {asTable && (
        <ActionIcon aria-label={`Export ${chartTable.caption} as CSV`} title="Export CSV" onClick={save}>
          <IconDownload size={17} stroke={1.7} />
        </ActionIcon>
      )}
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
