import { countOf } from '../../chain/insight/count-of.ts';
import { readValidator, validators } from '../../chain/resources/validators.ts';
import { listFewNames, nameOrId } from './name-texts.ts';
import { defineRule, type ListedFinding, listedUnknown } from './rule.ts';

export const validatorOutside = defineRule({
  id: 'validator-outside',
  about: 'validators outside the consensus set',
  subject: 'Consensus set',
  needs: ['validators'],
  find: (read, { directory }) => {
    const rows = read('validators');
    if (rows.length === 0)
      return [listedUnknown('Consensus set', 'the consensus set is not known: the node lists no validators')];
    const all = rows.map(row => ({ row, ...readValidator(row) }));
    const unsaid = all.filter(({ rankingScore }) => consensusRole(rankingScore.status) === undefined);
    const outside = all.filter(({ rankingScore }) => consensusRole(rankingScore.status) === 'outside');
    const [first] = outside;
    const names = listFewNames(outside.map(({ id }) => nameOrId(directory, 'node', id)));
    const found: readonly ListedFinding[] =
      first === undefined
        ? []
        : [
            {
              severity: 'info',
              subject:
                outside.length === 1
                  ? `Validator ${names}`
                  : `${outside.length} of ${countOf(rows.length, 'validator')}`,
              fact: 'outside the consensus set',
              sentence: `${outside.length} of ${countOf(rows.length, 'validator')} outside the consensus set: ${names}`,
              resource: validators.id,
              key: validators.keyOf(first.row),
            },
          ];
    return unsaid.length === 0
      ? found
      : [
          ...found,
          listedUnknown(
            'Consensus set',
            `the role of ${countOf(unsaid.length, 'validator')} is not reported by the node`,
            `role of ${countOf(unsaid.length, 'validator')} not known`,
          ),
        ];
  },
});

/** Whether a validator of this status takes part in consensus; undefined for a status that is not known here. */
export const consensusRole = (status: string): 'inside' | 'outside' | undefined => ROLES.get(status);

const ROLES: ReadonlyMap<string, 'inside' | 'outside'> = new Map([
  ['VALIDATOR_NODE_STATUS_TENDERMINT', 'inside'],
  ['VALIDATOR_NODE_STATUS_ERSATZ', 'outside'],
  ['VALIDATOR_NODE_STATUS_PENDING', 'outside'],
]);
