import { standIn } from '../stand-in.ts';
import { type Report, ReportFilter } from './report-filter.ts';

export interface TerminalInput<Terminal> {
  /** To be given to Ink instead of the terminal's input: what it reads has no reports in it. */
  readonly stdin: Terminal;
  readonly release: () => void;
}

interface Hearer {
  readonly onReport: (report: Report) => void;
  /** A report may come any time. */
  readonly isExpecting: () => boolean;
}

/** The rest of a key comes sooner, and a person does not press the next one so soon after Esc. */
const REST_MS = 100;

/** Takes the terminal's reports out of its keys. */
export function terminalInput<Terminal extends NodeJS.ReadStream>(
  terminal: Terminal,
  { onReport, isExpecting }: Hearer,
): TerminalInput<Terminal> {
  const filter = new ReportFilter();
  const waiting: (string | Report)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const giveUp = (): void => {
    const keys = filter.release();
    if (keys === '') return;
    waiting.push(keys);
    terminal.emit('readable');
  };
  /** The next keys; reports before them are passed on. */
  const keys = (): string | null => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      if (typeof part === 'string') return part;
      onReport(part);
    }
    return null;
  };
  const read = (): string | null => {
    for (let found = keys(); ; found = keys()) {
      if (found !== null) return found;
      const chunk: unknown = terminal.read();
      if (chunk === null) return null;
      clearTimeout(timer);
      waiting.push(...filter.push(String(chunk), isExpecting()));
      if (filter.mayBeKeys) timer = setTimeout(giveUp, REST_MS);
    }
  };
  return { stdin: standIn(terminal, { read }), release: () => clearTimeout(timer) };
}
