// Progress on the terminal: a redrawn bar, or occasional plain lines when output isn't a terminal.
import { countWords } from '#core/base/formats.ts';
import type { RowSource } from './source-row.ts';

export type Progress = { readonly update: (rows: number) => void; readonly end: () => void };
type Output = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;

const barWidth = 24;
const redrawMs = 100;
const plainLineMs = 5_000;

export function startProgress({ size, bytesRead }: RowSource, output: Output): Progress {
  const started = performance.now();
  const pause = output.isTTY ? redrawMs : plainLineMs;
  let shownAt = started;
  let rows = 0;
  const show = () => {
    const share = Math.min(bytesRead() / size, 1);
    const text = `${Math.floor(share * 100)}%, ${countWords(rows)} rows, ${rowsPerSecond(rows, performance.now() - started)} rows/s`;
    const filled = Math.round(share * barWidth);
    output.write(
      output.isTTY ? `\r\u001b[2K[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${text}` : `${text}\n`,
    );
  };
  return {
    update(count) {
      rows = count;
      const now = performance.now();
      if (now - shownAt < pause) return;
      shownAt = now;
      show();
    },
    end() {
      if (output.isTTY) output.write('\r\u001b[2K');
    },
  };
}

export function rowsPerSecond(rows: number, milliseconds: number): string {
  return countWords((rows * 1000) / Math.max(milliseconds, 1));
}
