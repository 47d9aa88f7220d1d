/** Result of applying a linkifier to a text: the linked words with their URLs, or an error. */
export type Trial =
  { readonly links: readonly { readonly text: string; readonly url: string }[] } | { readonly error: string };

const MOST_LINKS = 10;

/** Replaces `{id}` by its value, percent-encoded as in URI templates; `{+id}` keeps reserved characters. */
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
 * Tests a pattern with the browser's regular expressions. The server's differ in rare cases, and it refuses slow
 * patterns. A short text prevents a bad pattern from freezing the page.
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
