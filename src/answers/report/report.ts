/** One page about a party: its holdings, receipts, income and trades. Text may come from a node and be hostile. */
export interface PartyReport {
  /** `blockglass 1.2.3` */
  readonly program: string;
  /** ISO 8601, UTC. */
  readonly made: string;
  readonly chainId: string;
  readonly party: string;
  readonly partyName: string | null;
  /** Only this asset; null for all. */
  readonly asset: string | null;
  /** The requested range, in words. */
  readonly asked: string;
  /** What the exports have. */
  readonly covered: readonly Coverage[];
  /** What readers must know before they use a figure. */
  readonly warnings: readonly string[];
  readonly sections: readonly ReportSection[];
  readonly included: readonly string[];
  readonly excluded: readonly string[];
  readonly archives: readonly ReportArchive[];
  readonly audit: ReportAudit;
  readonly witnesses: readonly string[];
}

/** The blocks of a table in the exports, and the times of its rows; null if they are not known. */
export interface Coverage {
  readonly table: string;
  readonly fromBlock: string | null;
  readonly toBlock: string | null;
  readonly firstTime: string | null;
  readonly lastTime: string | null;
  readonly rows: string;
}

/** A part of the page. Without its table it explains how to get it, and has no figures. */
export interface ReportSection {
  readonly id: 'money' | 'fees' | 'rewards' | 'trades' | 'balances';
  readonly title: string;
  readonly about: string;
  readonly figures: readonly ReportFigure[];
  readonly notes: readonly string[];
  readonly gap: Gap | null;
}

/** Why a section has no figures, and the command that helps; '' without one. */
export interface Gap {
  readonly why: string;
  readonly command: string;
}

/** A table of exact values with the SQL that gives them. */
export interface ReportFigure {
  readonly title: string;
  readonly columns: readonly FigureColumn[];
  /** As people read them: names, and amounts in units. */
  readonly rows: readonly (readonly string[])[];
  /** The same for programs: ids, and amounts in smallest units. */
  readonly records: readonly FigureRecord[];
  readonly sql: string;
  readonly charts: readonly Chart[];
  /** Long and rarely read: a page may fold it. */
  readonly isDetail: boolean;
}

export type FigureRecord = Readonly<Record<string, string | null>>;

interface FigureColumn {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** Values over time: bars up and down for each period, or one line. */
export type Chart =
  | {
      readonly kind: 'bars';
      readonly title: string;
      readonly points: readonly { readonly label: string; readonly up: ChartValue; readonly down: ChartValue }[];
    }
  | {
      readonly kind: 'line';
      readonly title: string;
      readonly points: readonly { readonly label: string; readonly value: ChartValue }[];
    };

/** An exact value, and a rounded one to draw it by. */
export interface ChartValue {
  readonly text: string;
  readonly drawn: number;
}

export interface ReportArchive {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The purpose of reading it: `figures`, `audit`, or both. */
  readonly use: 'figures' | 'audit' | 'figures and audit';
}

/** Whether the exports add up for the party, or why that was not checked. */
export type ReportAudit =
  | {
      readonly kind: 'made';
      readonly verdict: 'adds-up' | 'differs' | 'cannot-be-judged';
      readonly reason: string;
      /** Checks that compared something, without a difference. */
      readonly agreeing: number;
      /** Tables that further checks need, which were not given, or which are not of the same blocks. */
      readonly notGiven: readonly string[];
      readonly otherBlocks: readonly string[];
      /** Checks with values that are worth a look, and how many. */
      readonly looks: readonly { readonly name: string; readonly total: number }[];
      /** Commands that fetch the data missing for a verdict. */
      readonly commands: readonly string[];
    }
  | { readonly kind: 'not-made'; readonly why: string };
