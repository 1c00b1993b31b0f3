// Tells Stryker what no rule depends on: the words that people read. Which words they are the tests of the
// specification's texts say; a changed letter in an explanation is no fault of a rule.
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

const isText = ({ node }) => node.type === 'StringLiteral' || node.type === 'TemplateLiteral';

/** The second argument of `refuse(code, words)`. */
const isOfRefusal = ({ node, parent }) =>
  parent?.type === 'CallExpression' && parent.callee.name === 'refuse' && parent.arguments[1] === node;

const isOfThrownError = ({ parent }) => parent?.type === 'NewExpression' && parent.callee.name === 'Error';

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'words', {
    shouldIgnore(path) {
      return isText(path) && (isOfRefusal(path) || isOfThrownError(path)) ? 'words that people read' : undefined;
    },
  }),
];
