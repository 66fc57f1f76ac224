import type { ArrangeQuestion } from '../explorer/services/world.ts';
import type { PageRequest } from '../resources/page-request.ts';
import { resourceById } from '../resources/registry.ts';
import type { SessionState } from './model/state.ts';

/** What is to be done for a list that is whole, or on its way to be. */
export type WholeWish = { readonly ticket: number } & (
  | { readonly kind: 'whole'; readonly resource: string; readonly request: PageRequest }
  | { readonly kind: 'arrange'; readonly question: ArrangeQuestion }
);

export function wholeWishes({ browsers }: SessionState): readonly (WholeWish & { readonly key: string })[] {
  return Object.values(browsers).flatMap((browser): readonly (WholeWish & { readonly key: string })[] => {
    const { whole, page, resource: id } = browser;
    if (whole === null || page === null) return [];
    if (whole.status === 'gathering') {
      const { ticket } = whole;
      return [{ key: `whole ${id} ${ticket}`, kind: 'whole', ticket, resource: id, request: page.request }];
    }
    const resource = resourceById(id);
    if (whole.arranging === null || resource === undefined || page.whole === undefined) return [];
    const { arranging, arranged } = whole;
    const question = { resource, page: { ...page, whole: page.whole }, wanted: arranging, before: arranged };
    return [{ key: `arrange ${id} ${arranging.ticket}`, kind: 'arrange', ticket: arranging.ticket, question }];
  });
}
