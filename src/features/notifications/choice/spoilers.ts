const DIVISION = /<div\b[^>]*>|<\/div>/g;
const HIDDEN = '<div class="spoiler-content"';

/**
 * The HTML of a message with its spoilers closed.
 * @param placeholder plain text in place of hidden content
 */
export function withoutSpoilers(html: string, placeholder: string): string {
  let shown = '';
  let end = 0;
  let depth = 0;
  for (const { 0: tag, index } of html.matchAll(DIVISION)) {
    if (depth > 0) {
      depth += tag === '</div>' ? -1 : 1;
      if (depth === 0) end = index + tag.length;
    } else if (tag.startsWith(HIDDEN)) {
      shown += `${html.slice(end, index)}<p>${placeholder}</p>`;
      depth = 1;
    }
  }
  // An unclosed spoiler hides everything to the end.
  return depth > 0 ? shown : shown + html.slice(end);
}
