import { resourceById } from '../../src/chain/resources/registry.ts';
import { bindingFor, disabledReasonOf } from '../../src/explorer/app/keymap.ts';
import { isTooSmall } from '../../src/explorer/core/area.ts';
import { topLayer } from '../../src/explorer/core/layer.ts';
import type { SessionState } from '../../src/explorer/core/state.ts';
import type { BrowseState } from '../../src/explorer/screens/browse/state.ts';
import { outOfRange } from '../explorer/support/cursor-rules.ts';
import { wizardIn } from '../explorer/support/export-scenes.ts';
import { listsOf } from '../explorer/support/layers.ts';
import { tagOf } from './random-world.ts';

/** What is false in a state of the explorer, whatever keys led there; empty when nothing is. */
export function falseIn(state: SessionState): readonly string[] {
  return [
    ...outOfRange(state),
    ...Object.values(listsOf(state)).flatMap(falseInBrowser),
    ...falseInJob(state),
    ...falseInNotice(state),
  ];
}

function falseInNotice(state: SessionState): readonly string[] {
  const { notice } = state;
  if (notice?.refused === undefined) return [];
  const binding = bindingFor(state, notice.refused.key);
  return binding !== undefined && disabledReasonOf(state, binding) !== undefined
    ? []
    : [`"${notice.text}" is said of ${notice.refused.key}, which can act`];
}

function falseInBrowser(browser: BrowseState): readonly string[] {
  const resource = resourceById(browser.resource);
  if (resource === undefined) return [`there is no resource ${browser.resource}`];
  const { page, filterBar, loading, failure } = browser;
  const found: string[] = [];
  if (filterBar !== null && filterBar.texts.length !== resource.filters.length)
    found.push('the filter bar has other fields');
  if (page === null) return found.map(what => `${browser.resource}: ${what}`);
  const tag = tagOf(page.request);
  if (page.rows.some(row => row.askedFor !== tag)) found.push(`its rows were asked for by something else than ${tag}`);
  const shown = tagOf({
    ...page.request,
    filters: browser.filters,
    size: browser.pageSize,
    newestFirst: browser.newestFirst,
  });
  if (loading === null && failure === null && shown !== tag)
    found.push(`the rows are those of ${tag}, the line above them says ${shown}`);
  return found.map(what => `${browser.resource}: ${what}`);
}

function falseInJob(state: SessionState): readonly string[] {
  const { job } = state;
  const step = wizardStep(state);
  if (step === 'progress' && job?.status !== 'running') return ['the progress of no export is shown'];
  if (step === 'result' && job?.status !== 'ended') return ['the result of no export is shown'];
  return [];
}

/** One line for what decides how a state is drawn: for the words of a finding. */
export function sketchOf(state: SessionState): string {
  const { screen, tab } = state;
  const size = `${screen.columns}x${screen.rows}${isTooSmall(screen) ? ', too small' : ''}`;
  return `tab ${tab}, ${size}, over it ${topLayer(state)?.screen ?? 'nothing'}, wizard ${wizardStep(state) ?? 'closed'}`;
}

/** Undefined while no wizard is open. */
export const wizardStep = (state: SessionState): string | undefined =>
  state.layers.some(({ screen }) => screen === 'export') ? wizardIn(state).step : undefined;
