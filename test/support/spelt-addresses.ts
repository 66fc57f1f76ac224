import { loadAddressSpelling } from '../../src/chain/insight/address.ts';

// The test files of a run share their modules, and this is the one thing that they remember: no file may depend on
// which ones ran before it.
await loadAddressSpelling();
