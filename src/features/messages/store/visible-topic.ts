import { composedName, withoutHidden } from '../../../platform/names/visible-name';

/** A topic in the one form that it is written in: composed, trimmed, without what nobody sees. */
export function visibleTopic(topic: string): string {
  return composedName(withoutHidden(topic));
}
