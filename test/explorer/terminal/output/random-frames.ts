interface Piece {
  readonly text: string;
  readonly cells: number;
  readonly sgr: string;
}

type Line = readonly Piece[];

// Only characters on whose width string-width and the emulator agree; marks always follow a letter.
const NARROW = [
  'a',
  'b',
  'x',
  '0',
  '7',
  '.',
  ' ',
  ' ',
  ' ',
  'é',
  'ß',
  'e\u0301',
  'o\u0308\u0323',
  '…',
  '─',
  '│',
  '▸',
  'Ж',
  'ש',
];
const WIDE = ['世', '界', 'あ', 'ガ', '한', '，', '世\u0301'];
const STYLES = [
  '',
  '',
  '',
  '1',
  '2',
  '7',
  '31',
  '32',
  '33',
  '34',
  '35',
  '36',
  '1;36',
  '90',
  '4',
  '42',
  '1;7',
  '38;5;200',
];
const CLOSED: { readonly [code: string]: string } = { 1: '22', 2: '22', 7: '27', 4: '24', 42: '49' };

/** Draws random changes on a screen of lines and writes them in the ways that Ink has. */
export class RandomFrames {
  #columns: number;
  #rows: number;
  readonly #random: () => number;
  #lines: Line[] = [];
  #old: Line[] = [];
  /** Where a shown cursor was left, counted from the top. */
  #cursorRow: number | undefined;
  #isUnsure = true;
  #hasNewSize = false;

  constructor(columns: number, rows: number, random: () => number) {
    this.#columns = columns;
    this.#rows = rows;
    this.#random = random;
    this.#lines = Array.from({ length: rows }, () => this.#line());
  }

  resize(columns: number, rows: number): void {
    this.#columns = columns;
    this.#rows = rows;
    this.#lines = Array.from({ length: rows }, (_, row) => this.#cut(this.#lines[row] ?? []));
    this.#isUnsure = true;
    this.#hasNewSize = true;
  }

  /** The writes that make up the next frame. */
  next(): readonly string[] {
    for (let changes = this.#below(3); changes >= 0; changes--) this.#change();
    const isBracketed = this.#random() < 0.5;
    // For a new size Ink draws everything anew, and nothing before.
    const isFree = !this.#hasNewSize;
    this.#hasNewSize = false;
    const frame = isFree && this.#random() < 0.08 ? this.#noise() : this.#frame();
    const before = isFree && this.#random() < 0.05 ? '\u001b]52;c;YWJj\u0007' : '';
    return isBracketed ? ['\u001b[?2026h', before, frame, '\u001b[?2026l'] : [before + frame];
  }

  #frame(): string {
    const { row, column } = { row: this.#below(this.#rows), column: this.#below(this.#columns) };
    const isShown = this.#random() < 0.3;
    const up = this.#rows - 1 - row;
    const suffix = isShown ? `${up > 0 ? `\u001b[${up}A` : ''}\u001b[${column + 1}G\u001b[?25h` : '';
    const text = this.#toBottom() + (this.#isUnsure || this.#random() < 0.1 ? this.#whole() : this.#incremental());
    this.#cursorRow = isShown ? row : undefined;
    this.#old = [...this.#lines];
    this.#isUnsure = false;
    return text + suffix;
  }

  #toBottom(): string {
    if (this.#cursorRow === undefined) return '';
    const down = this.#rows - 1 - this.#cursorRow;
    return `\u001b[?25l${down > 0 ? `\u001b[${down}B` : ''}\u001b[G`;
  }

  #whole(): string {
    const text = this.#lines.map(line => this.#painted(line)).join('\n');
    if (this.#isUnsure || this.#random() < 0.5) return `\u001b[1;1H\u001b[J${text}`;
    return `${Array.from({ length: this.#rows }, () => '\u001b[2K').join('\u001b[1A')}\u001b[G${text}`;
  }

  #incremental(): string {
    const up = this.#rows > 1 ? `\u001b[${this.#rows - 1}A` : '';
    const lines = this.#lines.map((line, row) => {
      const isLast = row === this.#rows - 1;
      if (line === this.#old[row]) return isLast ? '' : '\u001b[E';
      return this.#update(this.#old[row] ?? [], line) + (isLast ? '' : '\n');
    });
    return up + lines.join('');
  }

  #update(old: Line, line: Line): string {
    let same = 0;
    let cells = 0;
    while (same < line.length && line[same] === old[same]) cells += line[same++]?.cells ?? 0;
    if (cells === 0 || cells >= this.#columns || this.#random() < 0.3) return `\u001b[G\u001b[K${this.#painted(line)}`;
    return `\u001b[${cells + 1}G\u001b[K${this.#painted(line.slice(same))}`;
  }

  /** Text, moves and erasures anywhere: wide characters are cut, lines wrap, the screen scrolls. */
  #noise(): string {
    this.#isUnsure = true;
    this.#cursorRow = undefined;
    let text = '\u001b[?25l';
    for (let times = this.#below(5); times >= 0; times--) {
      const place = `\u001b[${this.#below(this.#rows) + 1};${this.#below(this.#columns) + 1}H`;
      const erase = this.#pick([
        '',
        '',
        '\u001b[K',
        '\u001b[1K',
        '\u001b[2K',
        '\u001b[J',
        '\u001b[1J',
        '\u001b[41m\u001b[K',
        '\u001b[3D',
        '\b',
      ]);
      const line = this.#line();
      text += `${place}${erase}${this.#painted(line.slice(0, this.#below(line.length + 1)))}\u001b[0m`;
      text += this.#pick(['', '', '\u001b[2C', '\u001b[B', '\n', '\r', '\u001b[2d', '\u001b[F', '\t', '\n\n']);
    }
    return text + (this.#random() < 0.5 ? `\u001b[${this.#below(this.#rows) + 1}H\u001b[?25h` : '');
  }

  #change(): void {
    const row = this.#below(this.#rows);
    const kind = this.#random();
    if (kind < 0.25) this.#lines[row] = this.#edited(this.#lines[row] ?? []);
    else if (kind < 0.35) this.#lines[row] = this.#line();
    else if (kind < 0.4) this.#lines[row] = [];
    else if (kind < 0.43) this.#lines = this.#lines.map(() => this.#line());
    else if (kind < 0.95) this.#scroll();
  }

  #scroll(): void {
    const top = this.#below(this.#rows);
    const length = 1 + this.#below(this.#rows - top);
    const band = this.#lines.slice(top, top + length);
    // Mostly by a few rows.
    const by = Math.min(this.#below(length + 1), 1 + this.#below(6));
    const fresh = Array.from({ length: by }, () => this.#line());
    const moved = this.#random() < 0.5 ? [...band.slice(by), ...fresh] : [...fresh, ...band.slice(0, length - by)];
    this.#lines.splice(top, length, ...moved.map(line => (this.#random() < 0.2 ? this.#edited(line) : line)));
  }

  #edited(line: Line): Line {
    const at = this.#below(line.length + 1);
    return this.#cut([...line.slice(0, at), this.#piece(this.#pick(STYLES)), ...line.slice(at + this.#below(3))]);
  }

  #line(): Line {
    const pieces: Piece[] = [];
    let sgr = this.#pick(STYLES);
    const cells = this.#random() < 0.3 ? this.#columns : this.#below(this.#columns + 1);
    while (pieces.length < cells) {
      if (this.#random() < 0.15) sgr = this.#pick(STYLES);
      pieces.push(this.#piece(sgr));
    }
    return this.#cut(pieces);
  }

  #piece(sgr: string): Piece {
    const isWide = this.#random() < 0.12;
    return { text: this.#pick(isWide ? WIDE : NARROW), cells: isWide ? 2 : 1, sgr };
  }

  #cut(line: Line): Line {
    let left = this.#columns;
    return line.filter(({ cells }) => {
      left -= cells;
      return left >= 0;
    });
  }

  #painted(line: Line): string {
    let text = '';
    let current = '';
    for (const { text: character, sgr } of line) {
      if (sgr !== current) text += `${this.#closed(current)}${sgr === '' ? '' : `\u001b[${sgr}m`}`;
      current = sgr;
      text += character;
    }
    return text + this.#closed(current);
  }

  #closed(sgr: string): string {
    if (sgr === '') return '';
    if (this.#random() < 0.5) return '\u001b[0m';
    const codes = sgr.startsWith('38') ? ['39'] : sgr.split(';').map(code => CLOSED[code] ?? '39');
    return codes.map(code => `\u001b[${code}m`).join('');
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick(choices: readonly string[]): string {
    return choices[this.#below(choices.length)] ?? '';
  }
}
