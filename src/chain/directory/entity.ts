/** What an id identifies: an id in one list can become a filter of another, or be shown by its name. */
export type Entity = 'market' | 'party' | 'asset' | 'submitter' | 'epoch' | 'node' | 'spec' | 'parameter';
