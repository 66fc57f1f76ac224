import { useApp } from 'ink';
import { useEffect, useMemo, useRef } from 'react';
import type { SuspendControl } from './host.ts';

interface SuspensionListener {
  /** The terminal was claimed again. */
  readonly onResumed?: () => void;
  /** Nothing stopped the program, because it has no shell to return to. */
  readonly onStayed: () => void;
}

/**
 * Restores the terminal and stops, as a shell expects after Ctrl-Z, and claims the terminal again when the process
 * continues; a stop request from outside does the same.
 */
export function useSuspension(stops: SuspendControl, hearer: SuspensionListener): () => void {
  const { suspendTerminal } = useApp();
  const heard = useRef(hearer);
  heard.current = hearer;
  const { suspend, comeBack } = useMemo(
    () => createSuspension(suspendTerminal, stops, () => heard.current),
    [suspendTerminal, stops],
  );
  // Once: a signal that comes between two listeners is lost.
  useEffect(() => stops.listen({ onStopAsked: suspend, onContinued: comeBack }), [stops, suspend, comeBack]);
  return suspend;
}

type SuspendTerminal = ReturnType<typeof useApp>['suspendTerminal'];

function createSuspension(suspendTerminal: SuspendTerminal, stops: SuspendControl, hearer: () => SuspensionListener) {
  let isAway = false;
  const away = async (until: () => Promise<void>): Promise<void> => {
    if (isAway) return;
    isAway = true;
    await suspendTerminal(until).finally(() => {
      hearer().onResumed?.();
      isAway = false;
    });
  };
  const stop = async (): Promise<void> => {
    let hasStopped = true;
    await away(async () => {
      hasStopped = await stops.stop();
    });
    if (!hasStopped) hearer().onStayed();
  };
  return {
    suspend: () => void stop(),
    // Stopped without a request: the shell has used the terminal in the meantime.
    comeBack: () => void away(async () => {}),
  };
}
