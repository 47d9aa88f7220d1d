const DIVISION = /<div\b[^>]*>|<\/div>/g;
const HIDDEN = '<div class="spoiler-content"';

/**
 * The HTML of a message as a reader sees it before they open its spoilers.
 * @param placeholder plain text without markup, in place of what is hidden
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
  // What is hidden goes on to the end if nothing closes it.
  return depth > 0 ? shown : shown + html.slice(end);
}
