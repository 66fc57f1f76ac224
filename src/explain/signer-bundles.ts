import type { Explainer } from './explanation.ts';
import { bundleJson } from './signer-bundle/bundle-json.ts';
import { bundleParts } from './signer-bundle/bundle-lines.ts';
import { callCopies } from './signer-bundle/call-lines.ts';
import { studyBundle } from './signer-bundle/study.ts';

/** Which signer a bundle removes, who signed it, who can submit it, and the contract call. */
export const explainBundle: Explainer = async (row, knowledge) => {
  const study = await studyBundle(row, knowledge);
  return {
    parts: bundleParts(study, knowledge.threshold),
    json: bundleJson(study, knowledge),
    copies: callCopies(study),
  };
};
