import { createHash } from 'node:crypto';

/** 64 hex digits that no compression makes shorter. */
export const madeId = (name: string): string => createHash('sha256').update(name).digest('hex');

const digits = (name: string, count: number): string => String(BigInt(`0x${madeId(name)}`)).slice(0, count);

/** A provision as the list of current and pending ones has it. */
export const madeProvision = (index: number, version = 1): string =>
  JSON.stringify({
    current: {
      id: madeId(`provision ${index}`),
      partyId: madeId(`party ${index}`),
      createdAt: `1700000${digits(`created ${index}`, 9)}000`,
      updatedAt: `1710000${digits(`updated ${index} ${version}`, 9)}000`,
      marketId: madeId(`market ${index % 20}`),
      commitmentAmount: digits(`commitment ${index} ${version}`, 14),
      fee: `0.00${digits(`fee ${index}`, 3)}`,
      sells: [],
      buys: [],
      version: String(version),
      status: 'STATUS_ACTIVE',
      reference: `lp-${madeId(`reference ${index}`).slice(0, 8)}`,
    },
  });

export const madeParameter = (index: number, value = digits(`value ${index}`, 6)): string =>
  JSON.stringify({ key: `market.liquidity.parameter${index}.${madeId(`key ${index}`).slice(0, 6)}`, value });

export const madeSpec = (index: number): string =>
  JSON.stringify({
    externalData: {
      spec: {
        spec: {
          id: madeId(`spec ${index}`),
          createdAt: `1700000${digits(`spec created ${index}`, 9)}000`,
          updatedAt: '0',
          data: {
            external: {
              oracle: {
                signers: [
                  { pubKey: { key: madeId(`key of ${index}`) } },
                  { ethAddress: { address: `0x${madeId(`address of ${index}`).slice(0, 40)}` } },
                ],
                filters: [
                  {
                    key: { name: `prices.${index}.value`, type: 'TYPE_INTEGER', numberDecimalPlaces: '5' },
                    conditions: [{ operator: 'OPERATOR_GREATER_THAN', value: '0' }],
                  },
                ],
              },
            },
          },
          status: 'STATUS_ACTIVE',
        },
      },
    },
  });
