import { sanitize } from '../../base/text/safe-text.ts';
import { type Directory, nameOf } from '../../chain/directory/directory.ts';
import { accountPurpose } from '../../chain/insight/account-purpose.ts';
import { toWholeUnits } from '../../chain/insight/decimal.ts';
import type { BalanceAtTime, Holding, PartyAccount, PartyMove } from '../index.ts';

interface JournalInput {
  readonly party: string;
  readonly chainId: string;
  readonly program: string;
  /** What readers must know before they use it. */
  readonly notes: readonly string[];
  readonly moves: readonly PartyMove[];
  /** Why money moved, in words. */
  readonly reasonOf: (type: string | null) => string;
  /** Null without the table of balances: nothing is asserted then. */
  readonly balances: { readonly holdings: readonly Holding[]; readonly held: readonly BalanceAtTime[] } | null;
  readonly names: Directory;
}

/**
 * The movements of a party as a journal for hledger, in the order of the ledger. Every account is asserted at its last
 * movement in each block that has a balance for it, and at the end. Every account and commodity is declared, so that
 * `hledger check --strict` reads it. Text of a node cannot begin a line, a comment, an amount or a directive.
 */
export function hledgerJournal(ground: JournalInput): string {
  const { party, chainId, program, notes, moves, balances, names, reasonOf } = ground;
  const commodities = new AssetCommodities(names);
  const held = balances?.holdings ?? [];
  const own = new AccountNames(
    [...moves.flatMap(({ account, other }) => [account, other ?? []].flat()), ...held],
    names,
  );
  const wording = { commodities, own, reasonOf, declared: new Set<string>() };
  const asserted = assertionsByMove(moves, balances?.held ?? []);
  const opening = openingText(held, moves[0], wording);
  const body = groupIntoTransactions(moves).map(group => transactionText(group, asserted, wording));
  const closing = closingText(held, moves.at(-1), wording);
  return [
    `; Movements of party ${party} on chain ${plainNamePart(chainId)}, written by ${plainNamePart(program)}.`,
    balances === null
      ? '; Nothing is asserted: there is no table balances. Fetch it with blockglass fetch or export'
      : '; Balances are asserted. hledger refuses the file if one does not agree; hledger -I reads it all the same.',
    ...notes.map(note => `; ${sanitize(note)}`),
    ...commodities.directives(),
    ...[...wording.declared].toSorted().map(name => `account ${name}${name === CONVERSION ? '  ; type:V' : ''}`),
    '',
    ...(opening === '' ? [] : [opening]),
    ...body,
    ...(closing === '' ? [] : [closing]),
  ]
    .join('\n')
    .concat('\n');
}

interface Wording extends Pick<JournalInput, 'reasonOf'> {
  readonly commodities: AssetCommodities;
  readonly own: AccountNames;
  /** Every account that a posting names. */
  readonly declared: Set<string>;
}

/** What the accounts held before their first movement, from their balances. */
function openingText(holdings: readonly Holding[], first: PartyMove | undefined, wording: Wording): string {
  const { commodities, own } = wording;
  const held = holdings.filter(({ opening }) => opening !== null && BigInt(opening) !== 0n);
  if (held.length === 0) return '';
  const postings = held.map(holding =>
    posting(wording, own.name(holding), commodities.amount(holding.asset, BigInt(holding.opening ?? 0))),
  );
  const day = first?.time ?? held.map(({ since }) => since ?? '').toSorted()[0] ?? '';
  return transaction(utcDay(day), 'balances at the start', [...postings, posting(wording, 'equity:opening balances')]);
}

/** What every account holds at the end: a row that is missing behind its last movement is noticed, too. */
function closingText(holdings: readonly Holding[], last: PartyMove | undefined, wording: Wording): string {
  const { commodities, own } = wording;
  const held = holdings.flatMap(({ closing, ...account }) => (closing === null ? [] : [{ account, closing }]));
  const days = [last?.time ?? '', ...held.map(({ account }) => account.since ?? '')].map(utcDay).toSorted();
  const postings = held.map(({ account, closing }) => {
    const { asset } = account;
    return posting(
      wording,
      own.name(account),
      commodities.amount(asset, 0n),
      commodities.amount(asset, BigInt(closing)),
    );
  });
  return postings.length === 0 ? '' : transaction(days.at(-1) ?? '', 'balances at the end', postings);
}

/** A movement, and its place among all. */
interface PlacedMove {
  readonly at: number;
  readonly move: PartyMove;
}

/** A transaction for each movement; both sides of a spot trade, which follow on each other in a block, are one. */
function groupIntoTransactions(moves: readonly PartyMove[]): readonly (readonly PlacedMove[])[] {
  const groups: PlacedMove[][] = [];
  for (const [at, move] of moves.entries()) {
    const last = groups.at(-1);
    const before = last?.at(-1)?.move;
    if (last !== undefined && before !== undefined && isSpot(move) && isSpot(before) && before.time === move.time)
      last.push({ at, move });
    else groups.push([{ at, move }]);
  }
  return groups;
}

/** One asset is given for another: no income, and no expense. */
const isSpot = ({ type, part }: PartyMove): boolean => type === 'TRANSFER_TYPE_SPOT' && part === 'income';

function transactionText(
  group: readonly PlacedMove[],
  asserted: ReadonlyMap<number, readonly Assertion[]>,
  wording: Wording,
): string {
  const [first] = group;
  if (first === undefined) return '';
  const { time, type } = first.move;
  const words = plainNamePart(wording.reasonOf(type));
  const postings = group.flatMap(({ at, move }) => movePostings(move, asserted.get(at) ?? [], wording));
  return transaction(utcDay(time), `${words}  ; ${time.slice(11)} UTC`, postings);
}

function movePostings(move: PartyMove, asserts: readonly Assertion[], wording: Wording): readonly string[] {
  const { commodities, own, reasonOf } = wording;
  const { account, other, received, sent, part, type } = move;
  const amount = BigInt(received ?? sent ?? 0);
  const signed = received === null ? -amount : amount;
  const line = (name: string, value: bigint, of?: PartyAccount): string =>
    posting(
      wording,
      name,
      commodities.amount(account.asset, value),
      of === undefined ? undefined : assertedAmount(asserts, of, commodities),
    );
  const words = plainNamePart(reasonOf(type));
  const contra = isSpot(move) ? CONVERSION : contraAccount(move, words);
  const across = other === null ? line(contra, -signed) : line(own.name(other), -signed, other);
  // Fees of a provider are income when they leave the fee account, not when they are allocated.
  const earned = part === 'income' && other !== null ? [line(NOT_PAID, amount), line(`income:${words}`, -amount)] : [];
  return [line(own.name(account), signed, account), across, ...earned];
}

const CONVERSION = 'equity:conversion';
const NOT_PAID = 'equity:liquidity fees not paid yet';

function contraAccount({ part, received }: PartyMove, words: string): string {
  switch (part) {
    case 'income':
      return `${received === null ? 'expenses' : 'income'}:${words}`;
    case 'deposited':
    case 'withdrawn':
      return 'equity:deposits and withdrawals';
    case 'restored':
      return 'equity:restored from a checkpoint';
    case 'allocated':
    case 'withheld':
      return NOT_PAID;
    case 'own':
      return 'equity:own transfers under way';
    case 'unclear':
      return 'equity:unclear';
  }
}

interface Assertion {
  readonly account: PartyAccount;
  readonly balance: bigint;
}

/** By the place of the movement behind which they hold: the last one of the account in the block of the balance. */
function assertionsByMove(
  moves: readonly PartyMove[],
  held: readonly BalanceAtTime[],
): ReadonlyMap<number, readonly Assertion[]> {
  const last = new Map<string, number>();
  for (const [at, { time, account, other }] of moves.entries())
    for (const of of other === null ? [account] : [account, other]) last.set(`${time} ${accountKey(of)}`, at);
  const found = new Map<number, Assertion[]>();
  for (const { time, account, balance } of held) {
    const at = last.get(`${time} ${accountKey(account)}`);
    if (at !== undefined) found.set(at, [...(found.get(at) ?? []), { account, balance: BigInt(balance) }]);
  }
  return found;
}

const accountKey = ({ asset, kind, market }: PartyAccount): string => `${asset} ${kind} ${market}`;

function assertedAmount(
  asserts: readonly Assertion[],
  account: PartyAccount,
  commodities: AssetCommodities,
): string | undefined {
  const found = asserts.find(each => accountKey(each.account) === accountKey(account));
  return found === undefined ? undefined : commodities.amount(account.asset, found.balance);
}

const transaction = (day: string, words: string, postings: readonly string[]): string =>
  `${day} ${words}\n${postings.join('\n')}\n`;

function posting({ declared }: Wording, account: string, amount?: string, asserted?: string): string {
  declared.add(account);
  return `    ${account}${amount === undefined ? '' : `  ${amount}`}${asserted === undefined ? '' : ` = ${asserted}`}`;
}

const utcDay = (time: string): string => time.slice(0, 10);

/** Names of a party's accounts, each of one account: names that are equal without the characters a journal drops get an id. */
class AccountNames {
  readonly #names = new Map<string, string>();

  constructor(accounts: readonly PartyAccount[], names: Directory) {
    const byKey = new Map(accounts.map(account => [accountPlaceKey(account), account]));
    const wanted = [...byKey].map(([key, { kind, market }]) => {
      const words = accountPurpose(kind).replace(': ', ' ');
      const name = `assets:${plainNamePart(words)}${market === '' ? '' : `:${plainNamePart(nameOf(names, 'market', market) ?? market)}`}`;
      return { key, id: market === '' ? kind : market, name };
    });
    for (const [key, name] of distinctNames(wanted)) this.#names.set(key, name);
  }

  name(account: PartyAccount): string {
    return this.#names.get(accountPlaceKey(account)) ?? 'assets:unnamed';
  }
}

/** An account has a name for all of its assets. */
const accountPlaceKey = ({ kind, market }: PartyAccount): string => `${kind} ${market}`;

interface WantedName {
  readonly key: string;
  /** Distinguishes items with the same name. */
  readonly id: string;
  readonly name: string;
}

/** The names by key; those that are equal with as much of their ids as tells all names apart. */
function distinctNames(wanted: readonly WantedName[]): ReadonlyMap<string, string> {
  const byName = Map.groupBy(wanted, ({ name }) => name.toLowerCase());
  for (let digits = 4; ; digits += 4) {
    const found = wanted.map(({ key, id, name }) => {
      const isAlone = byName.get(name.toLowerCase())?.length === 1;
      return [key, isAlone ? name : `${name} ${plainNamePart(id.slice(0, digits))}`] as const;
    });
    const isWhole = wanted.every(({ id }) => id.length <= digits);
    if (isWhole || new Set(found.map(([, name]) => name.toLowerCase())).size === found.length) return new Map(found);
  }
}

/** One part of a name: only characters that mean nothing in a journal, one space at most between words. */
const plainNamePart = (text: string): string =>
  sanitize(text)
    .replace(/[^\p{L}\p{N}.,/_ -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim() || 'unnamed';

/** The assets as commodities: quoted symbols, each of one asset. */
class AssetCommodities {
  readonly #names: Directory;
  readonly #symbols = new Map<string, string>();

  constructor(names: Directory) {
    this.#names = names;
  }

  /** In units of the asset, or in smallest units if its decimals are not known. */
  amount(asset: string, smallest: bigint): string {
    const decimals = this.#decimals(asset);
    const text = toWholeUnits(String(smallest), decimals) ?? String(smallest);
    return `${text} "${this.#symbol(asset)}"`;
  }

  directives(): readonly string[] {
    return [...this.#symbols].map(([asset, symbol]) => {
      const decimals = this.#decimals(asset);
      return `commodity 1000.${'0'.repeat(decimals)} "${symbol}"  ; asset ${asset}`;
    });
  }

  #decimals(asset: string): number {
    return this.#names.assets.get(asset)?.decimals ?? 0;
  }

  #symbol(asset: string): string {
    const known = this.#symbols.get(asset);
    if (known !== undefined) return known;
    const isKnown = this.#names.assets.get(asset)?.decimals != null;
    const wanted = isKnown
      ? plainNamePart(nameOf(this.#names, 'asset', asset) ?? asset.slice(0, 8))
      : `smallest ${asset.slice(0, 8)}`;
    const taken = new Set(this.#symbols.values());
    let symbol = wanted;
    for (let digits = 8; taken.has(symbol) && digits <= asset.length; digits += 4)
      symbol = `${wanted} ${asset.slice(0, digits)}`;
    this.#symbols.set(asset, symbol);
    return symbol;
  }
}
