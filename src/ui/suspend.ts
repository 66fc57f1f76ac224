import { useApp } from 'ink';
import { useEffect, useMemo, useRef } from 'react';

/** A program that was stopped does not see this time pass. */
const NOT_STOPPED_MS = 100;

/**
 * Gives the terminal back and stops, as a shell expects of Ctrl-Z, and takes it again when it goes on; a stop asked for
 * from outside does the same. `onStayed` hears that nothing stopped the program: there is no shell to return to.
 */
export function useSuspension(onStayed: () => void): () => void {
  const { suspendTerminal } = useApp();
  const stayed = useRef(onStayed);
  stayed.current = onStayed;
  const { suspend, listen } = useMemo(() => suspension(suspendTerminal, () => stayed.current()), [suspendTerminal]);
  // Once: a signal that comes between two listeners is lost.
  useEffect(listen, [listen]);
  return suspend;
}

function suspension(suspendTerminal: ReturnType<typeof useApp>['suspendTerminal'], onStayed: () => void) {
  let isAway = false;
  const away = async (until: () => Promise<void>): Promise<void> => {
    if (isAway) return;
    isAway = true;
    await suspendTerminal(until).finally(() => {
      isAway = false;
    });
  };
  const stop = async (): Promise<void> => {
    let hasStopped = true;
    await away(async () => {
      process.off('SIGTSTP', suspend);
      hasStopped = await stopped();
      process.on('SIGTSTP', suspend);
    });
    if (!hasStopped) onStayed();
  };
  const suspend = (): void => void stop();
  // Stopped without being asked (SIGSTOP): the shell has used the terminal meanwhile.
  const onContinued = (): void => void away(async () => {});
  const listen = () => {
    process.on('SIGTSTP', suspend);
    process.on('SIGCONT', onContinued);
    return () => {
      process.off('SIGTSTP', suspend);
      process.off('SIGCONT', onContinued);
    };
  };
  return { suspend, listen };
}

/** Stops this process; resolves when it goes on, with false when it was not stopped at all: nobody could continue it. */
function stopped(): Promise<boolean> {
  return new Promise(resolve => {
    const end = (hasStopped: boolean): void => {
      clearTimeout(timer);
      process.off('SIGCONT', onContinued);
      resolve(hasStopped);
    };
    const onContinued = (): void => end(true);
    process.on('SIGCONT', onContinued);
    // The signal that let it go on is heard behind the timer that is due by then.
    const timer = setTimeout(() => setImmediate(() => end(false)), NOT_STOPPED_MS);
    process.kill(process.pid, 'SIGTSTP');
  });
}
