import { type AccountParts, accountId } from '../../chain/directory/account-id.ts';
import { AuditError } from './audit-error.ts';
import { detachText, idDigits } from './row-values.ts';

/** Numbers the accounts of the rows, so that data per account fits into arrays. */
export class AccountNumbering {
  readonly #byText = new Map<string, number>();
  readonly #ids: string[] = [];

  /** The number of an account id in CSV form; undefined if the text is not an id. */
  inRow(text: string | undefined): number | undefined {
    const known = this.#byText.get(text ?? '');
    if (known !== undefined) return known;
    const hex = idDigits(text);
    if (hex === undefined || hex === '') return undefined;
    const index = this.ofId(hex);
    this.#remember(`\\x${hex}`, index);
    // The same id in other case.
    if (text !== undefined && text !== `\\x${hex}`) this.#remember(detachText(text), index);
    return index;
  }

  /** The number of an account by its id in lower case. */
  ofId(hex: string): number {
    const known = this.#byText.get(`\\x${hex}`);
    if (known !== undefined) return known;
    const id = detachText(hex);
    this.#ids.push(id);
    this.#remember(`\\x${id}`, this.#ids.length - 1);
    return this.#ids.length - 1;
  }

  of(parts: AccountParts): number {
    return this.ofId(accountId(parts));
  }

  /** The number of an account that a row named; undefined if none did. */
  known(hex: string): number | undefined {
    return this.#byText.get(`\\x${hex}`);
  }

  isKnown(parts: AccountParts): boolean {
    return this.known(accountId(parts)) !== undefined;
  }

  idOf(index: number): string {
    return this.#ids[index] ?? '';
  }

  #remember(text: string, index: number): void {
    this.#byText.set(text, index);
    if (this.#byText.size > MAX_ACCOUNTS)
      throw new AuditError(
        `these exports name more than ${MAX_ACCOUNTS} accounts, too many to compare at once`,
        'audit fewer blocks at a time',
      );
  }
}

/** They and their balances take about 250 bytes each. */
const MAX_ACCOUNTS = 2_000_000;
