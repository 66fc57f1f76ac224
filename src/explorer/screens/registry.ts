import { type Opens, type Screens, untyped } from '../core/layer.ts';
import type { Openings, ScreenName } from '../openings.ts';
import { counts } from './counts/counts.ts';
import { requestLog } from './requests/requests.ts';
import { statement } from './statement/statement.ts';

const TYPED = {
  counts,
  requests: requestLog,
  statement,
} satisfies { readonly [Name in ScreenName]: Opens<Openings[Name]> };

/** Every screen that can be opened over a tab. */
export const SCREENS: Screens = untyped(TYPED);
