/** What a linkifier makes of a text: the words that become links, and their addresses. */
export type Trial =
  { readonly links: readonly { readonly text: string; readonly url: string }[] } | { readonly error: string };

const MOST_LINKS = 10;

/** The value in place of `{id}`, encoded as URI templates have it; `{+id}` keeps what separates parts of an address. */
function expanded(template: string, groups: Readonly<Record<string, string | undefined>>): string {
  return template.replace(/\{([+#]?)(\w+)\}/g, (_, operator: string, name: string) => {
    const value = groups[name] ?? '';
    if (operator === '')
      return encodeURIComponent(value).replace(
        /[!'()*]/g,
        (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
      );
    return (operator === '#' ? '#' : '') + encodeURI(value);
  });
}

/**
 * Tries a pattern in the browser, by its own regular expressions: the server's differ in rare cases, and refuse what takes
 * long. A short text keeps a bad pattern from holding up the page.
 */
export function tryLinkifier(pattern: string, template: string, text: string): Trial {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern.replaceAll('(?P<', '(?<'), 'gu');
  } catch (error) {
    return { error: (error as Error).message };
  }
  const found: { text: string; url: string }[] = [];
  for (const match of text.slice(0, 200).matchAll(expression)) {
    if (match[0] === '' || found.length === MOST_LINKS) break;
    found.push({ text: match[0], url: expanded(template, match.groups ?? {}) });
  }
  return { links: found };
}
