import { safeLine, safeText } from './base/text/safe-text.ts';
import { MINUTE_MS } from './base/text/time.ts';
import { isAddress } from './chain/api/request.ts';
import { addressTarget, type Context, connect, EMBEDDED, type Target } from './cli/context.ts';
import { describeError } from './cli/describe-error.ts';
import { EXIT, exitCodeFor } from './cli/exit-code.ts';
import { COMMON_FLAGS, type Flag, type ParsedFlags, readFlags } from './cli/flags.ts';
import { GUEST } from './cli/guest-environment.ts';
import { terminalKind } from './cli/opens-screen.ts';
import { EXPLORER_FLAGS, readPreferences } from './cli/preference-flags.ts';
import { UsageError } from './cli/usage-error.ts';
import { TAB_IDS } from './explorer/tabs.ts';
import { claimTerminal, releaseTerminal } from './explorer/terminal/claimed-terminal.ts';
import { unblock } from './explorer/terminal/guest-terminal.ts';
import { wipeEcho } from './explorer/terminal/wipe-echo.ts';

const IDLE = 'idle-minutes';
const USUAL_IDLE_MINUTES = 15;
const MAX_IDLE_MINUTES = 1440;
/** Saving state between runs, reading it from files and printing are not for guests. */
const FLAGS_NOT_FOR_GUESTS = ['at', 'history', 'log', 'output', 'restore'];

/** Flags of the explorer for guests. */
export const GUEST_FLAGS: readonly Flag[] = [
  ...[...COMMON_FLAGS, ...EXPLORER_FLAGS].filter(({ name }) => !FLAGS_NOT_FOR_GUESTS.includes(name)),
  { name: GUEST, kind: 'switch', about: 'the explorer for guests' },
  {
    name: IDLE,
    kind: 'number',
    least: 1,
    most: MAX_IDLE_MINUTES,
    value: 'N',
    about: 'end after N minutes without a key',
  },
];

const HELP = safeText`blockglass --guest - the explorer for guests, behind an SSH server

  blockglass --guest --node URL   for ForceCommand in sshd_config: docs/guides/guests.md

Guests see the lists, records and explanations of one node. They cannot open a
shell, read or write a file, choose another node or stop the program. Nothing
they type is stored. Keys that guests cannot use show why.

  --node URL          the node; the name of a profile is refused
  --demo              the embedded demo node, to try it
  --idle-minutes N    end after N minutes without a key, 1 to 1440 (15); a warning
                      comes a minute before
  --timeout S         longest wait for an answer, in seconds (30)
  --no-color          no colours
  --screen-reader     print lines for a screen reader, no screen
  --plain-output      write whole lines, not only changed cells
  --theme, --charset, --times, --selection, --preview, --start-tab, --node-check,
  --page-size, --max-lag
                      as in blockglass help explore

No settings, variables or caches are read: only flags count.
`;

/** Opens the explorer for a guest; resolves with the exit code. */
export async function runGuest(words: readonly string[], context: Context): Promise<number> {
  try {
    const given = readFlags(words, GUEST_FLAGS);
    if (given.has('help')) {
      await context.stdout.safe(HELP);
      return EXIT.done;
    }
    const target = readTarget(given);
    const idleMs = (given.number(IDLE) ?? USUAL_IDLE_MINUTES) * MINUTE_MS;
    const preferences = readPreferences(given, {});
    refuseCommand(context);
    const { stdin, stdout, stderr } = process;
    const kind = terminalKind(words, context.env);
    if (!stdin.isTTY || !stdout.isTTY)
      throw new UsageError('this is an explorer for guests, and it needs a terminal. Connect with ssh -t.');
    if (kind === 'no-cursor')
      throw new UsageError('the explorer for guests needs a terminal that can place a cursor. Set TERM.');
    const { limitYoungGeneration } = await import('./cli/young-generation.ts');
    setTimeout(limitYoungGeneration, STARTED_AFTER_MS).unref();
    const { explore } = await import('./explorer/explorer.tsx');
    const { host } = claimTerminal(false);
    wipeEcho(process);
    for (const stream of [stdout, stderr]) unblock(stream);
    const { isInterrupted, parting } = await explore({
      guest: { idleMs, abandon: () => process.kill(process.pid, 'SIGKILL') },
      ...{ host, stdin, stdout, preferences },
      env: context.env,
      tab: TAB_IDS.find(tab => tab === preferences.startTab) ?? TAB_IDS[0] ?? '',
      label: target.label,
      colour: null,
      view: {},
      program: `blockglass ${context.version}`,
      hasColour: !given.has('no-color'),
      isPlainOutput: given.has('plain-output'),
      isScreenReader: kind === 'screen-reader',
      nodes: { ...NO_NODES, connect: connectOnce(target, given, context) },
      namesFolder: null,
      stateFolder: null,
    });
    releaseTerminal();
    if (parting !== '') await context.stderr.safe(safeLine(parting));
    return isInterrupted ? EXIT.interrupted : EXIT.done;
  } catch (error) {
    releaseTerminal();
    await context.stderr.safe(describeError(error));
    return exitCodeFor(error);
  }
}

/** Limiting the young generation while the program loads would delay the first rows. */
const STARTED_AFTER_MS = 1500;

function readTarget(given: ParsedFlags): Target {
  const [word] = given.words;
  if (word !== undefined)
    throw new UsageError('--guest opens the explorer and runs no command. Leave out other words.');
  const address = given.text('node');
  if (given.has('demo') && address === undefined) return EMBEDDED;
  if (given.has('demo')) throw new UsageError('--demo and --node cannot be used together');
  if (address === undefined) throw new UsageError('--guest needs a node. Add --node URL.');
  if (!isAddress(address)) throw new UsageError('--guest reads no profiles. Give the address of the node: --node URL.');
  return addressTarget(address);
}

/** What a guest wrote behind the address, as in `ssh HOST ls`, and what sftp and scp ask for. */
function refuseCommand({ env: { SSH_ORIGINAL_COMMAND = '' } }: Context): void {
  if (SSH_ORIGINAL_COMMAND === '') return;
  throw new UsageError('this is an explorer for guests, and it runs no commands. Connect without one: ssh -t HOST.');
}

const NO_NODES = {
  clientOf: async () => undefined,
  profiles: async () => ({ profiles: [], problem: null }),
};

type ConnectNode = Parameters<typeof import('./explorer/explorer.tsx').explore>[0]['nodes']['connect'];

/** The one client of the session, so that its request budget outlives a lost connection. */
function connectOnce(target: Target, given: ParsedFlags, { env, version, startDemo }: Context): ConnectNode {
  let known: ReturnType<typeof connect> | undefined;
  return async (_, tell) => {
    known ??= connect(target, given, { env, version, startDemo }, { tell });
    const { client } = await known.catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    const preferences = readPreferences(given, {});
    return { client, preferences, label: target.label, notice: null, firstByteMs: 600_000, idleMs: 300_000 };
  };
}
