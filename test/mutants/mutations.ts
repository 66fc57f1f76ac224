/** One change of one line, of a kind that a guard suffers: turned round, gone, or off by one. */
export interface Mutation {
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** All single changes of the guards of a source text. A line at a time: what is written over several lines is left out. */
export function mutationsOf(source: string): readonly Mutation[] {
  return source.split('\n').flatMap((before, index) => {
    const code = withoutTexts(before);
    if (/^\s*(?:import|export \*|\*|\/[/*])/.test(before)) return [];
    return [...conditions(code), ...swaps(code), ...limits(code)].map(({ from, to, text }) => ({
      line: index + 1,
      before: before.trim(),
      after: `${before.slice(0, from)}${text(before.slice(from, to))}${before.slice(to)}`,
    }));
  });
}

interface Place {
  readonly from: number;
  readonly to: number;
  readonly text: (found: string) => string;
}

/** The line with as many other signs in place of each text in quotes, and of a comment behind the code. */
const withoutTexts = (line: string): string =>
  line.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|\/\/.*$/g, text => '_'.repeat(text.length));

/** A condition the other way round; one that leads to a throw or a return is never met, too. */
function conditions(code: string): readonly Place[] {
  const start = /\bif \(/.exec(code);
  if (start === null) return [];
  const from = start.index + start[0].length;
  const to = closing(code, from);
  if (to === undefined) return [];
  const turned: Place = { from, to, text: found => `!(${found})` };
  const gone: Place = { from, to, text: found => `false && (${found})` };
  return /^\)\s*(?:throw|return)\b/.test(code.slice(to)) ? [turned, gone] : [turned];
}

/** Where the bracket closes that was opened before a place. */
function closing(code: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < code.length; at++) {
    if (code[at] === '(') depth++;
    else if (code[at] === ')' && --depth === 0) return at;
  }
  return undefined;
}

const swaps = (code: string): readonly Place[] =>
  [...code.matchAll(/(?<= )(?:&&|\|\||[<>]=?)(?= )/g)].map(({ 0: sign, index }) => ({
    ...{ from: index, to: index + sign.length, text: found => SWAPPED[found] ?? found },
  }));

const SWAPPED: Readonly<Record<string, string>> = {
  '&&': '||',
  '||': '&&',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
};

/** A limit that has a name. */
function limits(code: string): readonly Place[] {
  const found = /^(?:export )?const [A-Z][A-Z0-9_]+ = (\d[\d_]*(?: \* \d[\d_]*)*);/d.exec(code)?.indices?.[1];
  if (found === undefined) return [];
  const [from, to] = found;
  return [
    { from, to, text: value => `${value} + 1` },
    { from, to, text: value => `2 * ${value}` },
  ];
}
