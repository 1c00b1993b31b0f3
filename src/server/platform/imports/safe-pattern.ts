// Checks the patterns in mapping files. JavaScript's matching backtracks, and a pattern like `(a+)+$` takes
// exponential time. The allowed patterns are never slow on texts of this length.

const longestPattern = 200;
const longestText = 500;
const mostRepeats = 2;

/** Why a pattern is rejected; null if it is allowed. */
export function patternFault(pattern: string): string | null {
  if (pattern.length > longestPattern) return `is longer than ${longestPattern} characters`;
  try {
    new RegExp(pattern, 'u');
  } catch {
    return 'isn’t a regular expression';
  }
  const bare = pattern.replace(/\\[^1-9k]/g, '_').replace(/\[[^\]]*\]/g, '_');
  if (/\\|\(\?[=!<]/.test(bare)) return 'looks behind, ahead or back, which is not allowed here';
  if (/\)[*+{]/.test(bare)) return 'repeats a group, which is not allowed here: repeat characters only';
  if ((bare.match(/[*+{]/g)?.length ?? 0) > mostRepeats) return `has more than ${mostRepeats} of *, + and {}`;
  return null;
}

const compiled = new Map<string, RegExp>();
const mostCompiled = 500;

export function matchesPattern(pattern: string, text: string): boolean {
  let expression = compiled.get(pattern);
  if (!expression) {
    expression = new RegExp(pattern, 'u');
    if (compiled.size >= mostCompiled) compiled.clear();
    compiled.set(pattern, expression);
  }
  return expression.test(text.slice(0, longestText));
}
