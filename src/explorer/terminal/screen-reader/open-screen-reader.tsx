import { render } from 'ink';
import { asciiText } from '../../../base/text/ascii.ts';
import type { SafeText } from '../../../base/text/safe-text.ts';
import type { Session } from '../../app/session.ts';
import { usesAscii } from '../../core/appearance.ts';
import { FaultBoundary } from '../fault-boundary.tsx';
import type { SuspendControl } from '../host.ts';
import { overrideMethods } from '../override-methods.ts';
import { createReader } from './reader.ts';
import { ScreenReader } from './screen-reader.tsx';

interface ScreenReaderOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stops: SuspendControl;
  readonly onFault: (error: unknown) => void;
  readonly send: (text: string) => void;
}

/** The explorer in lines. Ink receives its keys; Ink's own drawing is not written. */
export function openScreenReader(session: Session, { stdin, stdout, stops, onFault, send }: ScreenReaderOptions) {
  const write = (text: SafeText): void => send(usesAscii(session.state()) ? asciiText(text) : text);
  const reader = createReader(session, write);
  const unseen = (chunk: unknown, ...rest: readonly unknown[]): boolean => {
    // That a paste comes in brackets is the keyboard's.
    for (const [sequence] of String(chunk).matchAll(BRACKETS)) send(sequence);
    for (const written of rest) if (isCallback(written)) written();
    return true;
  };
  return render(
    <FaultBoundary onFault={onFault}>
      <ScreenReader session={session} reader={reader} stops={stops} />
    </FaultBoundary>,
    {
      stdin,
      stdout: overrideMethods(stdout, { write: unseen }),
      exitOnCtrlC: false,
      patchConsole: false,
      isScreenReaderEnabled: false,
      interactive: true,
    },
  );
}

const BRACKETS = /\u001b\[\?2004[hl]/g;

const isCallback = (value: unknown): value is () => void => typeof value === 'function';
