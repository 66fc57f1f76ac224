/** The page with what stands between `<!-- name -->` and `<!-- end -->` put in anew. A page without that part stays. */
export const withPart = (page: string, name: string, text: string): string =>
  page.replace(new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- end -->)`), (_, start, end) => `${start}${text}${end}`);
