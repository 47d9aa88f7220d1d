import type { IntegrationPost } from '../reading/integration';
import { bullets, code, joined, link, safe, NOTHING, quoted, type SafeText } from '../reading/safe-text';

/** Texts that all code hosting services share. */

/** Length of abbreviated hashes. */
const SHORT_HASH = 11;

/** Maximum authors to name; the commits of others are only counted. */
const MAX_NAMED = 3;

/** A commit that was pushed. */
export interface PushedCommit {
  readonly message: string;
  readonly url: string;
  readonly hash: string;
  readonly author: string;
}

/** A push to a branch. */
export interface Push {
  readonly repository: string;
  readonly branch: string;
  readonly user: string;
  /** Page with the changes. */
  readonly url: string;
  readonly commits: readonly PushedCommit[];
  /** Number of commits if the service does not send all. */
  readonly total?: number;
  /** Whether there are more commits, but the service does not send their number. */
  readonly isTruncated?: boolean;
  readonly isForced?: boolean;
  readonly isDeleted?: boolean;
}

/** The topic of a branch. */
export const branchTopic = (repository: string, branch: string) => `${repository} / ${branch}`;

/** The topic of a numbered item: `PR`, `MR` or `issue`. */
export const itemTopic = (repository: string, kind: string, number: string, title: string) =>
  `${repository} / ${kind} #${number} ${title}`;

export const shortHash = (hash: string) => hash.slice(0, SHORT_HASH);

/** Joins names for a sentence. */
export function namesOf(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Reports a push with or without commits, or the deletion of a branch. */
export function pushPost(event: string, push: Push): IntegrationPost {
  const { repository, branch, user, url, commits, isForced, isDeleted } = push;
  const topic = branchTopic(repository, branch);
  const total = push.total ?? commits.length;
  if (isDeleted)
    return { event, topic, content: safe`${user} ${link('deleted', url)} the branch ${branch}.` };
  const did = link(isForced ? 'force pushed' : 'pushed', url);
  if (total === 0) return { event, topic, content: safe`${user} ${did} the branch ${branch}.` };
  const number = `${total} ${total === 1 ? 'commit' : 'commits'}`;
  const head = safe`${user} ${did} ${number} to branch ${branch}.${authorsOf(push)}`;
  return { event, topic, content: joined([head, commitList(commits, total, push.isTruncated)], '\n\n') };
}

/** The authors of the commits, unless the pushing user is the only one. */
function authorsOf({ user, commits }: Push): SafeText {
  const counts = new Map<string, number>();
  for (const { author } of commits) counts.set(author, (counts.get(author) ?? 0) + 1);
  if (counts.size === 0 || (counts.size === 1 && counts.has(user))) return NOTHING;
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const others = ranked.slice(MAX_NAMED).reduce((sum, [, count]) => sum + count, 0);
  const named = ranked.slice(0, MAX_NAMED).map(([author, count]) => `${author} (${count})`);
  return safe` Commits by ${namesOf(others === 0 ? named : [...named, `others (${others})`])}.`;
}

const MAX_COMMITS = 20;

function commitList(commits: readonly PushedCommit[], total: number, isTruncated = false): SafeText {
  const shown = commits.slice(0, MAX_COMMITS);
  const left = total - shown.length;
  const lines = bullets(
    shown.map(({ message, hash, url }) => safe`${firstLine(message)} (${link(shortHash(hash), url)})`),
  );
  if (isTruncated) return safe`${lines}\n\n[and more commits]`;
  return left > 0 ? safe`${lines}\n\n[and ${left} more ${left === 1 ? 'commit' : 'commits'}]` : lines;
}

const firstLine = (text: string) => text.trimStart().split('\n', 1)[0] ?? '';

/** Reports a created or removed tag. */
export function tagPost(event: string, { repository, user, tag, url, isGone }: TagChange): IntegrationPost {
  const content = safe`${user} ${isGone ? 'removed' : 'pushed'} tag ${isGone ? tag : link(tag, url)}.`;
  return { event, topic: repository, content };
}

interface TagChange {
  readonly repository: string;
  readonly user: string;
  readonly tag: string;
  readonly url: string;
  readonly isGone: boolean;
}

/** A pull request, merge request or issue. */
export interface Item {
  readonly kind: string;
  readonly number: string;
  readonly title: string;
  readonly url: string;
  /** Whether to include the title, because the topic does not contain it. */
  readonly isNamed: boolean;
}

export function itemLink({ kind, number, title, url, isNamed }: Item): SafeText {
  return link(`${kind} #${number}${isNamed ? ` ${title}` : ''}`, url);
}

/** The source and target branch of a pull request. */
export function branchesOf(head: string, base: string): SafeText {
  return head === '' || base === '' ? NOTHING : safe` from ${code(head)} to ${code(base)}`;
}

export function assignedTo(names: readonly string[]): SafeText {
  return names.length === 0 ? NOTHING : safe` (assigned to ${namesOf(names)})`;
}

/** A sentence that ends with a colon and a quotation, or with a period if there is no text to quote. */
export function withQuote(sentence: SafeText, text: string): SafeText {
  const quote = quoted(text);
  return quote.isEmpty ? safe`${sentence}.` : safe`${sentence}:\n\n${quote}`;
}

/** Confirms that the webhook works. */
export function setUp(service: string, user: string): SafeText {
  return user === ''
    ? safe`${service} can write here now.`
    : safe`${service} can write here now. ${user} set it up.`;
}
