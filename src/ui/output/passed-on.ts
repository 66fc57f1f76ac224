/**
 * Whether a sequence that the screen model does not know could have changed what is on the screen, or where and how
 * the next character appears. Titles, clipboard, modes, queries and the keyboard protocol cannot.
 */
export const touchesScreen = (sequence: string): boolean => !HARMLESS.some(pattern => pattern.test(sequence));

const HARMLESS = [
  // BEL, NUL, DEL.
  /^[\u0007\u0000\u007f]$/,
  /^\u001b\]/,
  // Modes, but for 132 columns and the origin of cursor positions.
  /^\u001b\[\??(?!(?:[\d;]*;)?[36](?:;|[hl]))[\d;]*[hl]$/,
  // The kitty keyboard protocol and xterm's key options.
  /^\u001b\[[?<>=][\d;]*[um]$/,
  // Queries, the shape of the cursor, the window.
  /^\u001b\[[?>=]?[\d;]*[cnt]$/,
  /^\u001b\[[?>]?[\d;]*[ $]?[qp]$/,
  /^\u001b[=>]$/,
  // Device control strings, but for pictures (sixel, ReGIS).
  /^\u001bP(?![\d;]*[qp])/,
];
