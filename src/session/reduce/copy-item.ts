import type { CopyContent } from '../../explorer/services/copying/content.ts';
import type { MenuItem } from '../model/menu-item.ts';

/** Offers a text that is shown beside its name. */
export const copyItem = (label: string, text: string): MenuItem => laterItem(label, text, { kind: 'text', text });

/** Offers a text that is made when it is chosen. */
export const laterItem = (label: string, detail: string, content: CopyContent): MenuItem => ({
  mark: '',
  label,
  detail,
  action: { type: 'copy', what: label, content },
});
