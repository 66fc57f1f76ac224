import type { Taking } from '../../explorer/services/copying/taking.ts';
import type { MenuItem } from '../model/menu-item.ts';

/** Offers a text that is shown beside its name. */
export const copyItem = (label: string, text: string): MenuItem => laterItem(label, text, { kind: 'text', text });

/** Offers a text that is made when it is chosen. */
export const laterItem = (label: string, detail: string, taking: Taking): MenuItem => ({
  mark: '',
  label,
  detail,
  action: { type: 'copy', what: label, taking },
});
