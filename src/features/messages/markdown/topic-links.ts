import { findLinks } from './link-matches';
import type { RenderContext } from './render-context';

/** The links in the name of a topic: linkifiers and addresses, by position (groups reference 10.5). */
export function topicLinks(
  topic: string,
  linkifiers: RenderContext['linkifiers'],
): { text: string; url: string }[] {
  return findLinks(topic, linkifiers, 'https://').map(({ text, url }) => ({ text, url }));
}
