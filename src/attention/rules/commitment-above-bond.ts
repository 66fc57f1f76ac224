import { unitOfMarket } from '../../chain/directory/directory.ts';
import { countOf, countText } from '../../chain/insight/count-of.ts';
import { wholeAmount } from '../../chain/insight/paid-fees.ts';
import { exceedsBond, isBonded } from '../../chain/insight/provision.ts';
import { amountText } from '../../chain/resources/amount-text.ts';
import { findBond } from '../../chain/resources/bond-accounts.ts';
import { liquidityProvisions, readProvision } from '../../chain/resources/liquidity-provisions.ts';
import { nameOrId } from './name-texts.ts';
import { isOnMarket } from './provision-change.ts';
import { defineRule, type ListedFinding, listedUnknown } from './rule.ts';

export const commitmentAboveBond = defineRule({
  id: 'commitment-above-bond',
  about: 'commitments above their bond',
  subject: 'Bonds',
  needs: ['provisions', 'bonds'],
  find: (read, { directory }) => {
    const { marketId, rows } = read('provisions');
    const market = nameOrId(directory, 'market', marketId);
    const active = rows
      .map(row => ({ row, ...readProvision(row).current }))
      .filter(one => isBonded(one) && isOnMarket(one, marketId))
      .map(current => ({ ...current, bond: findBond(read('bonds'), current) }));
    const unread = active.filter(
      ({ bond, commitmentAmount }) => bond === undefined || wholeAmount(commitmentAmount) === undefined,
    );
    const above = active
      .flatMap(one => (one.bond !== undefined && exceedsBond(one, one.bond) ? [{ ...one, bond: one.bond }] : []))
      .toSorted(
        (one, other) => Number(shortfall(other) - shortfall(one) > 0n) - Number(shortfall(one) - shortfall(other) > 0n),
      );
    const [first] = above;
    const found = first === undefined ? [] : [sentenceOf(first)];
    return unread.length === 0
      ? found
      : [
          ...found,
          listedUnknown(
            `Bonds on ${market}`,
            `${countOf(unread.length, 'bond')} of ${countOf(active.length, 'active provision')} of ${market} cannot be compared: the account is missing or unreadable`,
            `${countText(unread.length)} of ${countText(active.length)} cannot be compared`,
          ),
        ];

    function sentenceOf({ row, partyId, commitmentAmount, bond }: (typeof above)[number]): ListedFinding {
      const unit = unitOfMarket(directory, marketId);
      const who = nameOrId(directory, 'party', partyId);
      const amounts = `${amountText(commitmentAmount, unit)} committed, ${amountText(bond, unit)} bond`;
      const many = `${above.length} of ${countOf(active.length, 'active provision')} of ${market} above their bond, most of all ${who}: ${amounts}`;
      return {
        severity: 'warning',
        subject: above.length === 1 ? `Provider ${who}` : `${countOf(above.length, 'provider')}`,
        fact: `committed more than ${above.length === 1 ? 'its' : 'their'} bond on ${market}`,
        sentence: above.length === 1 ? `provision of ${who} on ${market} above its bond: ${amounts}` : many,
        resource: liquidityProvisions.id,
        key: liquidityProvisions.keyOf(row),
      };
    }
  },
});

const shortfall = ({ commitmentAmount, bond }: { readonly commitmentAmount: string; readonly bond: string }): bigint =>
  (wholeAmount(commitmentAmount) ?? 0n) - (wholeAmount(bond) ?? 0n);
