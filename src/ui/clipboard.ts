/** What a clipboard sequence may carry: terminals drop more without a word. */
const MOST_BYTES = 74_994;

export interface Copied {
  readonly message: string;
  readonly isDone: boolean;
}

/**
 * Puts text on the clipboard of the terminal in front of the person (OSC 52), also over SSH and through tmux and
 * screen. Whether the terminal took it cannot be known; too large a text is refused, never cut.
 */
export function copyToTerminal(
  text: string,
  what: string,
  env: NodeJS.ProcessEnv,
  write: (sequence: string) => void,
): Copied {
  const encoded = Buffer.from(text, 'utf8').toString('base64');
  if (encoded.length > MOST_BYTES) {
    return {
      isDone: false,
      message: `${what} is too large for the clipboard sequence (${encoded.length} of ${MOST_BYTES} bytes): use the equal command`,
    };
  }
  write(wrapped(`\u001b]52;c;${encoded}\u0007`, env));
  const tmux = env.TMUX ? '; tmux needs: set -g allow-passthrough on' : '';
  return { isDone: true, message: `${what} sent to your terminal's clipboard${tmux}` };
}

function wrapped(sequence: string, env: NodeJS.ProcessEnv): string {
  if (env.TMUX) return `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`;
  if (!/^screen/.test(env.TERM ?? '')) return sequence;
  // GNU screen takes 768 bytes at a time.
  return (sequence.match(/[\s\S]{1,700}/g) ?? []).map(part => `\u001bP${part}\u001b\\`).join('');
}
