// Checks the patterns in mapping files. JavaScript's matching backtracks, and a pattern like `(a+)+$` takes
// exponential time. The allowed patterns are never slow on texts of this length.

const longestPattern = 200;
const longestText = 500;
/** Two repeats without end from the start of the text, or one from anywhere, and a few choices. */
const mostWays = 4 * (longestText + 1) ** 2;

/** Why a pattern is rejected; null if it is allowed. */
export function patternFault(pattern: string): string | null {
  if (pattern.length > longestPattern) return `is longer than ${longestPattern} characters`;
  try {
    new RegExp(pattern, 'u');
  } catch {
    return 'isn’t a regular expression';
  }
  const bare = pattern
    .replace(/\\(?:[pPu]\{[^}]*\}|[^1-9k])/g, '_')
    .replace(/\[[^\]]*\]/g, '_')
    .replace(/\(\?[a-z-]*:/g, '(');
  if (/\\|\(\?/.test(bare)) return 'has a lookaround, backreference or named group, which isn’t allowed here';
  if (/\)[*+{]/.test(bare)) return 'repeats a group, which isn’t allowed here: repeat characters only';
  if (waysOf([...bare.matchAll(/\{[^}]*\}|./gsu)].map(([sign]) => sign)) <= mostWays) return null;
  return 'could match in too many ways: start it with ^, and use fewer of *, +, ?, {} and |';
}

/** An upper limit of the ways to match a text: a failing match tries them all. Takes the signs it reads. */
function waysOf(signs: string[], starts = longestText + 1): number {
  let sum = 0;
  do {
    let product = signs[0] === '^' ? 1 : starts;
    while (signs.length > 0 && signs[0] !== '|' && signs[0] !== ')') {
      const ways = signs.shift() === '(' ? waysOf(signs, 1) : 1;
      product *= repeated(ways, signs);
    }
    sum += product;
  } while (signs.shift() === '|');
  return sum;
}

/** The ways of a part with the repeat behind it, which is taken. */
function repeated(ways: number, signs: string[]): number {
  const [sign = ''] = signs;
  if (!/^[*+?{]/.test(sign)) return ways;
  signs.shift();
  // A `?` behind it only changes the order of the ways.
  if (signs[0] === '?') signs.shift();
  if (sign === '?') return ways + 1;
  const [, least = '0', comma = ',', most = ''] = /^\{(\d+)(,?)(\d*)\}$/.exec(sign) ?? [];
  if (comma === '') return ways;
  return most === '' ? longestText + 1 : Math.min(Number(most), longestText) - Number(least) + 1;
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
