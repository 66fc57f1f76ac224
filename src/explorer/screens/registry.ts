import { eraseScreenTypes, type Openable, type Screens } from '../core/any-screen.ts';
import type { Openings, ScreenName } from '../openings.ts';
import { browseScreen } from './browse/browse.ts';
import { chainHistoryScreen } from './chain-history/chain-history.ts';
import { changesScreen } from './changes/changes.ts';
import { columnsScreen } from './columns/columns.ts';
import { commandLineScreen } from './command-line/command-line.ts';
import { confirmScreen } from './confirm/confirm.ts';
import { countsScreen } from './counts/counts.ts';
import { earnedScreen } from './earned/earned.ts';
import { exportScreen } from './export/export.ts';
import { helpScreen } from './help/help.ts';
import { menuScreen } from './menu/menu.ts';
import { nodesScreen } from './nodes/nodes.ts';
import { overviewScreen } from './overview/overview.ts';
import { promptScreen } from './prompt/prompt.ts';
import { requestsScreen } from './requests/requests.ts';
import { statementScreen } from './statement/statement.ts';
import { valueScreen } from './value/value.ts';
import { versionsScreen } from './versions/versions.ts';
import { viewerScreen } from './viewer/viewer.ts';
import { whatScreen } from './what/what.ts';

const TYPED = {
  browse: browseScreen,
  'command-line': commandLineScreen,
  'chain-history': chainHistoryScreen,
  changes: changesScreen,
  columns: columnsScreen,
  confirm: confirmScreen,
  counts: countsScreen,
  earned: earnedScreen,
  export: exportScreen,
  help: helpScreen,
  menu: menuScreen,
  nodes: nodesScreen,
  overview: overviewScreen,
  prompt: promptScreen,
  requests: requestsScreen,
  statement: statementScreen,
  value: valueScreen,
  versions: versionsScreen,
  what: whatScreen,
  viewer: viewerScreen,
  answer: viewerScreen,
} satisfies { readonly [Name in ScreenName]: Openable<Openings[Name]> };

/** Every screen: the tabs, and the screens that can be opened over one. */
export const SCREENS: Screens = eraseScreenTypes(TYPED);
