// The texts made from the table of variables: the manual's section and .env.example.
import { variableSections } from '../src/server/platform/config/config-variables.ts';

type Row = {
  readonly meaning: string;
  readonly fallback: string;
  readonly standard: string | undefined;
  secret?: true;
};
const sections: readonly (readonly [string, Readonly<Record<string, Row>>])[] = Object.entries(variableSections);

const opening = '<!-- variables: made by npm run generate from src/server/platform/config/config-variables.ts -->';
const closing = '<!-- end of variables -->';

function manualTables(): string {
  const tables = sections.map(([title, rows]) => {
    const lines = Object.entries(rows).map(
      ([name, { meaning, fallback, secret }]) =>
        `| \`${name}\`${secret ? ' (secret)' : ''} | ${meaning} | ${fallback} |`,
    );
    return [`### ${title}`, '', '| Variable | Meaning | Default |', '|---|---|---|', ...lines].join('\n');
  });
  return [opening, ...tables, closing].join('\n\n');
}

/** The manual with its tables of variables renewed. */
export function renewedManual(manual: string): string {
  const [before, rest] = manual.split(opening);
  const after = rest?.split(closing)[1];
  if (before === undefined || after === undefined)
    throw new Error('docs/configuration.md lacks the marks of its tables');
  return before + manualTables() + after;
}

const plain = (markdown: string): string =>
  markdown
    .replace(/,? see \[.*?\]\(.*?\)/g, '')
    .replace(/\[(.*?)\]\(.*?\)/g, '$1')
    .replaceAll('`', '');

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const lineLength = 100;

function commentLines(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string;
    if (line.length + word.length > lineLength) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => `# ${line}`);
}

export function envExample(): string {
  const blocks = sections.map(([title, rows]) => {
    const entries = Object.entries(rows).map(([name, { meaning, fallback, standard }]) =>
      [
        ...commentLines(`${sentence(plain(meaning))}.${standard === undefined ? ` Default: ${plain(fallback)}.` : ''}`),
        `#${name}=${standard === undefined ? '' : /\s/.test(standard) ? `"${standard}"` : standard}`,
      ].join('\n'),
    );
    return [`## ${title}`, ...entries].join('\n\n');
  });
  return `${[
    '# Copy this file to .env and set what you need. `npm start` and the npm commands read it;\n# variables of the environment win. Secrets can also come from files: LINK_SECRET_FILE=/run/secrets/link-secret.',
    ...blocks,
  ].join('\n\n')}\n`;
}
