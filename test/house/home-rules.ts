// One home for each fact: the rules that find a second copy of what the core already says.
import ts from 'typescript';
import { permissionKeys } from '#core/access/permissions.ts';
import { paths } from '#core/access/routes.ts';
import { refusals } from '#core/base/refusals.ts';
import { taskStatuses } from '#core/tasks/task-status.ts';
import { nodesOf, placeOf, type Source, wordsOf } from './source.ts';

const permissionName = /\b(I?VIEW_[A-Z0-9_]+|READ_[A-Z]{3,}|USER_MANAGEMENT)\b/;

/** The name of a permission: text, key or part of an SQL statement. */
export function permissionNames(file: Source): string[] {
  const found = wordsOf(file).filter(
    ({ text }) => permissionName.test(text) || permissionKeys.some((key) => key === text),
  );
  const members = nodesOf(file).filter(
    (node) =>
      ts.isIdentifier(node) &&
      ts.isPropertyAccessExpression(node.parent) &&
      node.parent.name === node &&
      permissionName.test(node.text),
  );
  return [...found.map(({ node }) => node), ...members].map(
    (node) =>
      `${placeOf(file, node.getStart())} spells ${node.getText().slice(0, 60)}: ask core/access or core/call-access`,
  );
}

const pages = new Set<string>(paths.filter((path) => path !== '/'));

/**
 * The path of a page, alone or with a query. One that the compiler holds against the table is no copy: `:
 * Path`, `satisfies Path`, a type, where a link leads (`to`), and whose address
 * is read (`useAddress`, `useAsked`, `useCreating`).
 */
export function pathLiterals(file: Source): string[] {
  return wordsOf(file)
    .filter(({ node, text }) => pages.has(text.split(/[?#]/)[0] ?? '') && !isTypedPath(node))
    .map(
      ({ node, text }) =>
        `${placeOf(file, node.getStart())} spells the page ${text}: take it from core/routes or core/navigation`,
    );
}

function isTypedPath({ parent }: ts.Node): boolean {
  if (ts.isLiteralTypeNode(parent)) return true;
  if (ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText() === 'to';
  if (ts.isCallExpression(parent)) return /^use(Address|Asked|Creating)$/.test(parent.expression.getText());
  const holder = ts.isSatisfiesExpression(parent) || ts.isVariableDeclaration(parent) ? parent : undefined;
  return holder?.type?.getText() === 'Path';
}

const titles = new Set<string>(Object.values(taskStatuses).map(({ title }) => title));

/** The title of a task's status. */
export function statusTitles(file: Source): string[] {
  return wordsOf(file)
    .filter(({ text }) => titles.has(text.trim()))
    .map(
      ({ node, text }) =>
        `${placeOf(file, node.getStart())} repeats the title ${text.trim()}: take it from core/task-status`,
    );
}

const messages = new Set<string>(Object.values(refusals).map(({ message }) => message));

/** The words of a refusal. */
export function refusalMessages(file: Source): string[] {
  return wordsOf(file)
    .filter(({ text }) => messages.has(text.trim()))
    .map(({ node }) => `${placeOf(file, node.getStart())} repeats a message of core/refusals`);
}

const ownFormat =
  /\bIntl\.(?:NumberFormat|ListFormat|Collator|PluralRules)\b|\.toLocaleString\(|\.localeCompare\([^()]*,/;

/** A number, a list or an order of names by other rules than those of core/base/formats. */
export function ownFormats(file: Source): string[] {
  return nodesOf(file)
    .filter((node) => (ts.isCallExpression(node) || ts.isNewExpression(node)) && ownFormat.test(headOf(node)))
    .map((node) => `${placeOf(file, node.getStart())} has a format of its own: take one of core/base/formats`);
}

/** A call without its inner calls: `a.toLocaleString(` of `a.toLocaleString('en')`. */
function headOf(node: ts.CallExpression | ts.NewExpression): string {
  const name = ts.isPropertyAccessExpression(node.expression) ? `.${node.expression.name.text}` : '';
  const head = ts.isNewExpression(node) ? node.expression.getText() : name;
  return `${head}(${(node.arguments ?? [])
    .map((one) => one.getText())
    .join(', ')
    .replaceAll(/[()]/g, '')}`;
}

const givenApprovers = /\b(?:from|join|into|update)\s+approvers\b/i;

/** The table of approvers in SQL: without the default approver it doesn't know the effective approvers. */
export function approverTables(file: Source): string[] {
  return wordsOf(file)
    .filter(({ text }) => givenApprovers.test(text))
    .map(
      ({ node }) =>
        `${placeOf(file, node.getStart())} reads the table approvers: who approves whom is the view effective_approvers, and changing it setApprovers`,
    );
}

/** What only a recipe uses: elements, parts of libraries, and callbacks. */
const partsOfRecipes: Readonly<Record<string, string>> = {
  form: 'src/web/ui/form.tsx',
  Modal: 'src/web/ui/dialog.tsx',
  Drawer: 'src/web/ui/side-panel.tsx',
  table: 'src/web/ui/data-table.tsx',
  useInfiniteQuery: 'src/web/api/list-query.ts',
  infiniteQueryOptions: 'src/web/api/list-query.ts',
  onMutate: 'src/web/api/change.ts',
  onUndo: 'src/web/api/change.ts',
};

/** The name of an element, an import, or a callback that is passed. */
function partIn(node: ts.Node): string {
  if (ts.isJsxOpeningElement(node)) return node.tagName.getText();
  if (ts.isImportSpecifier(node)) return node.name.getText();
  const isCallback = ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
  return isCallback && node.name.getText().startsWith('on') ? node.name.getText() : '';
}

/** A form, dialog, side panel, table, list, or change with a guess or Undo that does not follow its recipe. */
export function secondWays(file: Source): string[] {
  return nodesOf(file).flatMap((node) => {
    const name = partIn(node);
    const home = Object.hasOwn(partsOfRecipes, name) ? partsOfRecipes[name] : undefined;
    return home ? [`${placeOf(file, node.getStart())} has its own ${name}: take ${home}`] : [];
  });
}

const colour = /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgba?|hsla?|oklch|oklab|lab|lch)\(/i;

/** A colour in TypeScript: colours are tokens of src/web/ui. */
export function colourLiterals(file: Source): string[] {
  return wordsOf(file)
    .filter(({ text }) => colour.test(text))
    .map(
      ({ node, text }) =>
        `${placeOf(file, node.getStart())} draws with ${text.trim().slice(0, 40)}: take a token of src/web/ui`,
    );
}

/** The same in a style sheet. */
export function colourOfSheet(path: string, text: string): string[] {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .split('\n')
    .flatMap((line, index) =>
      colour.test(line.replace(/url\([^)]*\)/g, ''))
        ? [`${path}:${index + 1} draws with ${line.trim()}: take a token of src/web/ui`]
        : [],
    );
}
