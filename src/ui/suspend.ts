import { useApp } from 'ink';
import { useEffect, useMemo, useRef } from 'react';
import type { Stops } from './host.ts';

/**
 * Gives the terminal back and stops, as a shell expects of Ctrl-Z, and takes it again when it goes on; a stop asked for
 * from outside does the same. `onStayed` hears that nothing stopped the program: there is no shell to return to.
 */
export function useSuspension(stops: Stops, onStayed: () => void): () => void {
  const { suspendTerminal } = useApp();
  const stayed = useRef(onStayed);
  stayed.current = onStayed;
  const { suspend, comeBack } = useMemo(
    () => suspension(suspendTerminal, stops, () => stayed.current()),
    [suspendTerminal, stops],
  );
  // Once: a signal that comes between two listeners is lost.
  useEffect(() => stops.listen({ onStopAsked: suspend, onContinued: comeBack }), [stops, suspend, comeBack]);
  return suspend;
}

function suspension(suspendTerminal: ReturnType<typeof useApp>['suspendTerminal'], stops: Stops, onStayed: () => void) {
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
      hasStopped = await stops.stop();
    });
    if (!hasStopped) onStayed();
  };
  return {
    suspend: () => void stop(),
    // Stopped without being asked: the shell has used the terminal meanwhile.
    comeBack: () => void away(async () => {}),
  };
}
