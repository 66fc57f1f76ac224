/** The first line of a module in a bundle with line breaks: `var a, init_a = __esm(() => {`. */
const OPENING = /^var .*= [\w$]+\(\([\w$, ]*\) => \{$/;
const CLOSING = '});';

/**
 * A bundle whose modules are compiled together with the file. esbuild wraps a module in a function that runs at its first
 * import, and V8 compiles a function when it first runs, at every start: its compile cache holds only what was compiled
 * with the file. A function in parentheses is. The bundle must have its line breaks, and no module may be left open.
 */
export function compiledWithFile(bundle: string): string {
  let isOpen = false;
  const lines = bundle.split('\n').map(line => {
    if (OPENING.test(line)) {
      if (isOpen) throw new Error(`a module in the bundle has no end before ${line.slice(-80)}`);
      isOpen = true;
      const start = line.lastIndexOf('((') + 1;
      return `${line.slice(0, start)}(${line.slice(start)}`;
    }
    if (!isOpen || line !== CLOSING) return line;
    isOpen = false;
    return '}));';
  });
  if (isOpen) throw new Error('the last module in the bundle has no end');
  return lines.join('\n');
}
