import xterm from '@xterm/headless';

/**
 * What output did to a terminal beside showing text, each thing once: a title set, a clipboard written, a mode changed,
 * a colour, a character that is no text. Line ends are text; so is `own`, what the program writes itself on purpose.
 */
export async function deedsOf(output: string, own: readonly string[] = []): Promise<readonly string[]> {
  const text = own.reduce((rest, sequence) => rest.replaceAll(sequence, ''), output);
  return [...new Set([...unprintable(text), ...(await seenByEmulator(output, own))])];
}

// Tabs are of no use to the program: they would move the cursor by what the terminal thinks a tab is.
const NO_TEXT = /[^\P{C}\r\n]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const unprintable = (text: string): readonly string[] =>
  [...text.matchAll(NO_TEXT)].map(([character]) => `character U+${character.codePointAt(0)?.toString(16)}`);

async function seenByEmulator(output: string, own: readonly string[]): Promise<readonly string[]> {
  const emulator = new xterm.Terminal({
    cols: 80,
    rows: 24,
    scrollback: 5000,
    allowProposedApi: true,
    logLevel: 'off',
  });
  const deeds: string[] = [];
  const before = JSON.stringify(emulator.modes);
  emulator.onTitleChange(title => deeds.push(`title ${JSON.stringify(title)}`));
  emulator.onBell(() => deeds.push('bell'));
  emulator.onData(answer => deeds.push(`answers ${JSON.stringify(answer)}`));
  for (const kind of OSC_KINDS) emulator.parser.registerOscHandler(kind, noted(deeds, `OSC ${kind}`));
  for (const final of FINALS) {
    emulator.parser.registerDcsHandler({ final }, noted(deeds, `DCS ${final}`));
    for (const prefix of ['', '?', '>', '=', '<']) {
      const known = own.includes(`\u001b[${prefix}${final}`);
      const id = prefix === '' ? { final } : { prefix, final };
      if (!known) emulator.parser.registerCsiHandler(id, noted(deeds, `CSI ${prefix}${final}`));
    }
  }
  await new Promise<void>(resolve => emulator.write(output, resolve));
  if (JSON.stringify(emulator.modes) !== before) deeds.push(`modes ${JSON.stringify(emulator.modes)}`);
  if (emulator.buffer.active.type !== 'normal') deeds.push('alternate screen');
  if (hasStyle(emulator)) deeds.push('style');
  emulator.dispose();
  return deeds;
}

const OSC_KINDS = [
  ...Array.from({ length: 20 }, (_, kind) => kind),
  ...[50, 52, 99, 104, 110, 111, 112, 133, 633, 777, 1337],
];
const FINALS = Array.from({ length: 0x7e - 0x40 + 1 }, (_, index) => String.fromCharCode(0x40 + index));

const noted = (deeds: string[], deed: string) => (): boolean => {
  deeds.push(deed);
  return false;
};

function hasStyle(emulator: InstanceType<typeof xterm.Terminal>): boolean {
  const buffer = emulator.buffer.active;
  for (let y = 0; y < buffer.length; y++) {
    const line = buffer.getLine(y);
    for (let x = 0; x < emulator.cols; x++) if (line?.getCell(x)?.isAttributeDefault() === false) return true;
  }
  return false;
}
