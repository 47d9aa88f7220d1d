/** What the name of a resolved topic begins with. */
const RESOLVED_PREFIX = '✔ ';

/** What marking a topic does, where a change of its name is nothing else. */
export type Resolution = 'resolved' | 'unresolved';

/**
 * Whether a new name does nothing but mark a topic as resolved, or take the mark away.
 * @param normalize cuts a name to its longest, as marking may make it too long
 */
export function resolutionBetween(
  before: string,
  after: string,
  normalize: (topic: string) => string,
): Resolution | null {
  const wasResolved = before.startsWith(RESOLVED_PREFIX);
  if (!wasResolved && after === normalize(RESOLVED_PREFIX + before)) return 'resolved';
  if (wasResolved && after === withoutMarks(before)) return 'unresolved';
  return null;
}

/** Whether a name is that of the empty topic with the mark. @param emptyTopicName how the organization displays it */
export function isResolvedEmptyTopic(topic: string, emptyTopicName: string): boolean {
  const name = topic.trim();
  return name === RESOLVED_PREFIX.trim() || name === RESOLVED_PREFIX + emptyTopicName;
}

function withoutMarks(topic: string): string {
  let rest = topic;
  while (rest.startsWith(RESOLVED_PREFIX)) rest = rest.slice(RESOLVED_PREFIX.length);
  return rest;
}
