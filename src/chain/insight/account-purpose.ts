/** What an account is for, by its type with or without `ACCOUNT_TYPE_`; accounts of the party's market makers begin with `AMM_`. */
export function accountPurpose(type: string): string {
  const kind = type.replace(/^ACCOUNT_TYPE_/, '');
  const bare = kind.replace(/^AMM_/, '');
  const words = ACCOUNTS.get(bare) ?? bare.toLowerCase().replaceAll('_', ' ');
  return kind === bare ? words : `own AMM: ${words}`;
}

/** Accounts whose type is not clear by itself. */
const ACCOUNTS: ReadonlyMap<string, string> = new Map([
  ['HOLDING', 'held for spot orders'],
  ['LP_LIQUIDITY_FEES', 'liquidity fees not paid yet'],
  ['VESTED_REWARDS', 'unlocked rewards'],
  ['VESTING_REWARDS', 'locked rewards'],
]);
