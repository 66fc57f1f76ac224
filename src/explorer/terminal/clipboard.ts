import type { Clipboard } from '../services/copying/copy-or-save.ts';

/** Base64 that a clipboard sequence may carry: terminals drop more without a word. */
const MAX_ENCODED_LENGTH = 74_994;

/** GNU screen takes strings of 768 bytes. */
const SCREEN_PIECE = 700;

/** The multiplexer between the program and the terminal, according to the environment. */
type Multiplexer = 'nothing' | 'tmux' | 'screen' | 'tmux-or-screen';

/**
 * The clipboard of the terminal in front of the person (OSC 52), also over SSH and through tmux and screen. Whether the
 * terminal took it cannot be known.
 */
export function terminalClipboard(env: NodeJS.ProcessEnv, write: (sequence: string) => void): Clipboard {
  const between = detectMultiplexer(env);
  return {
    mostBytes: Math.floor(mostEncoded(between) / 4) * 3,
    send: (text, what) => {
      const encoded = Buffer.from(text, 'utf8').toString('base64');
      write(wrapped(`\u001b]52;c;${encoded}\u0007`, between));
      return `${what} sent to your terminal's clipboard${NEEDED[between]}`;
    },
  };
}

// Over ssh, TMUX and STY are missing, but TERM is set: tmux may also be configured to call itself screen.
function detectMultiplexer({ TMUX, STY, TERM = '' }: NodeJS.ProcessEnv): Multiplexer {
  if (TMUX) return 'tmux';
  if (STY) return 'screen';
  if (TERM.startsWith('tmux')) return 'tmux';
  return TERM.startsWith('screen') ? 'tmux-or-screen' : 'nothing';
}

/** What one piece for screen holds tmux takes as well; of several it would take the first for all. */
const mostEncoded = (between: Multiplexer): number =>
  between === 'tmux-or-screen' ? SCREEN_PIECE - 8 : MAX_ENCODED_LENGTH;

function wrapped(sequence: string, between: Multiplexer): string {
  switch (between) {
    case 'nothing':
      return sequence;
    // Unwrapped for set-clipboard, wrapped for allow-passthrough: a disabled option drops its own sequence.
    case 'tmux':
      return `${sequence}\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`;
    case 'screen':
    case 'tmux-or-screen':
      return (sequence.match(PIECES) ?? []).map(part => `\u001bP${part}\u001b\\`).join('');
  }
}

const PIECES = new RegExp(`[\\s\\S]{1,${SCREEN_PIECE}}`, 'g');

const NEEDED: { readonly [between in Multiplexer]: string } = {
  nothing: '',
  screen: '',
  tmux: '; tmux needs: set -g set-clipboard on',
  'tmux-or-screen': '; tmux needs: set -g set-clipboard on',
};
